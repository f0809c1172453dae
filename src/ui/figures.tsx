import type { ReactNode } from 'react'

/** Large figures, each under its term and above a note. */
export function Figures({
  figures,
}: {
  figures: readonly (readonly [term: string, value: ReactNode, note?: string])[]
}) {
  return (
    <dl
      className={`grid grid-cols-2 gap-x-8 border-y border-line ${figures.length === 3 ? 'lg:grid-cols-3' : 'lg:grid-cols-4'}`}
    >
      {figures.map(([term, value, note]) => (
        <div key={term} className="py-2.5 sm:py-6">
          <dt className="text-small text-ink-mute">{term}</dt>
          <dd className="figure mt-1 text-[1.75rem] sm:mt-2 sm:text-[2.25rem]">{value}</dd>
          {note && <dd className="mt-1 text-caption/snug text-ink-mute">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}
