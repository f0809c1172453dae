import type { ReactNode } from 'react'

/** Large figures, each under its term. */
export function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 border-y border-line lg:grid-cols-4">
      {figures.map(([term, value]) => (
        <div key={term} className="py-6">
          <dt className="text-small text-ink-mute">{term}</dt>
          <dd className="figure mt-2 text-[2.25rem]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
