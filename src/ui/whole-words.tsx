import { Fragment } from 'react'

/** Longer words may break at their hyphens, or they would not fit a phone. */
const LONGEST = 16

/** Keeps hyphenated words such as 'One-on-one' on one line. */
export function WholeWords({ text }: { text: string }) {
  return text.split(' ').map((word, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
    <Fragment key={i}>
      {i > 0 && ' '}
      {word.includes('-') && word.length <= LONGEST ? <span className="whitespace-nowrap">{word}</span> : word}
    </Fragment>
  ))
}
