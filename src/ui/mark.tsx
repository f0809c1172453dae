/** The outer arch of the mark as an SVG path. It ends one mark's width to the right of its start. */
export const ARCH = 'm5 0v-15a12 12 0 0 1 24 0v15zm29 0'
export const INNER_ARCH = 'm11 0v-14a6 6 0 0 1 12 0v14'

/** The mark: two nested arches. The class `mark-drawing` animates it as a spinner. */
export function Mark({ size = 34, className = '' }: { size?: number; className?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 34 34"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      aria-hidden="true"
      className={`flex-none ${className}`}
    >
      <path d={`M0 31${ARCH}M0 31${INNER_ARCH}M2.5 31h29`} />
    </svg>
  )
}

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
