import { ARCH, INNER_ARCH } from './mark.tsx'

/** Of more arches nobody sees the number at a glance, and on a phone a row has no room for them. */
const MOST_DRAWN = 12

/** Whether so many arches are drawn. */
export const areDrawn = (count: number) => count <= MOST_DRAWN

/**
 * The mark's arch, `count` times in a row, the first `filled` of them filled; with `hasCurrent` the mark's inner arch
 * stands in the next one. It decorates: what it means stands beside it in words. Drawn in the colour of the text, so
 * that it is seen in forced colours and on paper too.
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
