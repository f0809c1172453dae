import type { ReactNode } from 'react'

/** Large figures, each under its term. */
export function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 border-y border-line lg:grid-cols-4">
      {figures.map(([term, value]) => (
        <div key={term} className="py-2.5 sm:py-6">
          <dt className="text-small text-ink-mute">{term}</dt>
          <dd className="figure mt-1 text-[1.75rem] sm:mt-2 sm:text-[2.25rem]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
