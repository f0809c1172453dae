import { ARCH } from './mark.tsx'

/** The outer arch of the mark, with a tick that is drawn once. Lines are 1.5 px wide at every size. */
export function ArchTick({ size, className = '' }: { size: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 34 34"
      fill="none"
      stroke="currentColor"
      strokeWidth={51 / size}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`flex-none ${className}`}
    >
      <path d={`M0 31${ARCH}`} />
      <path d="m11.5 20 4 4 7-8.5" pathLength={1} strokeDasharray={1} className="animate-[draw_400ms_ease-out]" />
    </svg>
  )
}
