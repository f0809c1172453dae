import type { ReactNode } from 'react'

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

/** An email address that may wrap before its `@` only. */
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
