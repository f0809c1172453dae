import { Fragment } from 'react'

/** Longer ones may break at their hyphens: they would not fit a phone. Ours. */
const LONGEST = 16

/** A text whose words with hyphens, like 'One-on-one', stay together where lines end. */
export function WholeWords({ text }: { text: string }) {
  return text.split(' ').map((word, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
    <Fragment key={i}>
      {i > 0 && ' '}
      {word.includes('-') && word.length <= LONGEST ? <span className="whitespace-nowrap">{word}</span> : word}
    </Fragment>
  ))
}
