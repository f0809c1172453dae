import { ARCH } from './mark.tsx'

/** Done: the mark's outer arch, in which a tick draws itself once. Its lines are 1.5 pixels wide at every size. */
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
