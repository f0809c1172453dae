import { useState } from 'react'
import { CallError } from '#foundation/call.ts'

type Question = 'onClosedDay' | 'ifNoOverlap'
const QUESTIONS: readonly Question[] = ['onClosedDay', 'ifNoOverlap']

/**
 * Asks before classes land on a closed day or overlap others. The server refuses the first attempt and says why; sending the same
 * values again confirms it. Changed values are asked about again.
 *
 * @param values all that the change depends on
 * @param questions those that the endpoint asks
 */
export function useAskFirst(values: unknown, questions = QUESTIONS) {
  const key = JSON.stringify(values)
  const [asked, setAsked] = useState<{ key: string; words: Partial<Record<Question, string>> }>({ key, words: {} })
  const words = asked.key === key ? asked.words : {}
  return {
    /** To be read before the same values are sent again; empty until the server has asked. */
    words: Object.values(words),
    /** Sent with the change. */
    answers: { onClosedDay: 'onClosedDay' in words, ifNoOverlap: !('ifNoOverlap' in words) },
    /** Keeps what the server asks. Answers whether the error was a question. */
    take(error: Error): boolean {
      const said = error instanceof CallError ? error.errors : []
      const found = said.find(({ path }) => questions.some((question) => question === path))
      if (found) setAsked({ key, words: { ...words, [found.path]: found.message } })
      return found !== undefined
    },
  }
}

/** What is to be confirmed by pressing the button again. */
export function Asked({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null
  return (
    <div role="alert" className="rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] wrap-anywhere text-warn">
      {words.map((sentence) => (
        <p key={sentence}>{sentence}.</p>
      ))}
    </div>
  )
}
