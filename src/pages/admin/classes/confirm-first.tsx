import { useState } from 'react'
import { CallError } from '#foundation/call.ts'
import { Note } from '../admin-ui.tsx'

type Question = 'onClosedDay' | 'ifNoOverlap'

/**
 * Confirms before classes are put on a closed day or overlap others. The server refuses the first attempt with
 * a question; sending the same values again confirms it. Changed values need a new confirmation.
 *
 * @param values everything the change depends on
 * @param questions the questions of the endpoint
 */
export function useConfirmFirst(values: unknown, questions: readonly Question[] = ['onClosedDay', 'ifNoOverlap']) {
  const key = JSON.stringify(values)
  const [asked, setAsked] = useState<{ key: string; words: Partial<Record<Question, string>> }>({ key, words: {} })
  const words = asked.key === key ? asked.words : {}
  const sentences = Object.values(words)
  return {
    isAsking: sentences.length > 0,
    /** The server's questions about these values. */
    note: sentences.length > 0 && (
      <Note role="alert">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}.</p>
        ))}
      </Note>
    ),
    /** Sent with the change. */
    answers: { onClosedDay: 'onClosedDay' in words, ifNoOverlap: !('ifNoOverlap' in words) },
    /** Keeps the server's question. Returns whether the error was one. */
    isQuestion(error: Error): boolean {
      const fields = error instanceof CallError ? error.errors : []
      const found = fields.find(({ path }) => questions.some((question) => question === path))
      if (found) setAsked({ key, words: { ...words, [found.path]: found.message } })
      return found !== undefined
    },
  }
}
