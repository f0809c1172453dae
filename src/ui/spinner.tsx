import { Mark } from './mark.tsx'

/** `label` is said to screen readers, and shown when `visible`. */
export function Spinner({ label, visible = false }: { label: string; visible?: boolean }) {
  return (
    <div role="status" className="flex items-center justify-center gap-3 py-16 text-ink-mute">
      <Mark className="mark-drawing text-sage" />
      <span className={visible ? '' : 'sr-only'}>{label}</span>
    </div>
  )
}

/** A whole page that waits. As tall as the screen, so that no footer is seen to jump. Without script nothing would ever come. */
export function PageSpinner({ label = 'Loading...' }: { label?: string }) {
  return (
    <div className="grid min-h-dvh place-items-center noscript:invisible">
      <Spinner label={label} />
    </div>
  )
}

/** A grey block where content will be. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={`rounded-row bg-sand motion-safe:animate-pulse ${className}`} />
}
