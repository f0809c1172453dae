import { useState } from 'react'
import { CallError } from '#foundation/call.ts'

type Question = 'onClosedDay' | 'ifNoOverlap'
const QUESTIONS: readonly Question[] = ['onClosedDay', 'ifNoOverlap']

/**
 * Confirms before classes are put on a closed day or overlap others. The server refuses the first attempt and says
 * why; sending the same values again confirms it. Changed values need a new confirmation.
 *
 * @param values everything the change depends on
 * @param questions the questions of the endpoint
 */
export function useAskFirst(values: unknown, questions = QUESTIONS) {
  const key = JSON.stringify(values)
  const [asked, setAsked] = useState<{ key: string; words: Partial<Record<Question, string>> }>({ key, words: {} })
  const words = asked.key === key ? asked.words : {}
  return {
    /** The server's questions about these values; empty until it has asked. */
    words: Object.values(words),
    /** Sent with the change. */
    answers: { onClosedDay: 'onClosedDay' in words, ifNoOverlap: !('ifNoOverlap' in words) },
    /** Keeps the server's question. Returns whether the error was one. */
    take(error: Error): boolean {
      const said = error instanceof CallError ? error.errors : []
      const found = said.find(({ path }) => questions.some((question) => question === path))
      if (found) setAsked({ key, words: { ...words, [found.path]: found.message } })
      return found !== undefined
    },
  }
}

/** The questions that pressing the button again confirms. */
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
