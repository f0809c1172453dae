import type { ReactNode } from 'react'

/** Figures with their names, side by side. */
export function Figures({ figures }: { figures: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-2 gap-x-8 border-y border-line lg:grid-cols-4">
      {figures.map(([term, value]) => (
        <div key={term} className="py-6">
          <dt className="text-[0.9375rem] text-ink-mute">{term}</dt>
          <dd className="figure mt-2 text-[2.25rem]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An email address or a username like one: where it does not fit it breaks before the `@`, not inside a word. */
export function Breakable({ text }: { text: string }) {
  const at = text.lastIndexOf('@')
  if (at < 1) return text
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}
