import { Mark } from './mark.tsx'

/** `label` is for screen readers; `visible` shows it too. */
export function Spinner({ label, visible = false }: { label: string; visible?: boolean }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 py-16 text-ink-mute">
      <Mark className="mark-drawing text-sage" />
      <span className={visible ? '' : 'sr-only'}>{label}</span>
    </div>
  )
}

/** A spinner as tall as the screen, so that the footer does not jump. Hidden without script. */
export function PageSpinner({ label = 'Loading...' }: { label?: string }) {
  return (
    <div className="grid min-h-dvh place-items-center noscript:invisible">
      <Spinner label={label} />
    </div>
  )
}

export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={`rounded-row bg-sand motion-safe:animate-pulse ${className}`} />
}
