import { ARCH, INNER_ARCH } from './mark.tsx'

/** More arches could not be counted at a glance, and would not fit on a phone. */
const MAX_ARCHES = 12

export const canDrawArches = (count: number) => count <= MAX_ARCHES

/**
 * The arch of the mark, `count` times in a row: the first `filled` are filled, and `hasCurrent` adds an inner arch to
 * the next one. Decorative: put the meaning next to it in words. In `currentColor`, for forced colours and print.
 */
export function Arches({ count, filled, hasCurrent = false }: { count: number; filled: number; hasCurrent?: boolean }) {
  const next = `M${34 * filled} 31`
  return (
    <svg
      viewBox={`4 3 ${34 * count - 8} 29`}
      preserveAspectRatio="xMinYMax"
      aria-hidden="true"
      className="h-5 max-w-full text-sage"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
    >
      <path d={`M0 31${ARCH.repeat(filled)}`} fill="currentColor" />
      <path d={next + ARCH.repeat(count - filled)} className="text-line-strong" />
      {hasCurrent && <path d={next + ARCH + next + INNER_ARCH} />}
    </svg>
  )
}
