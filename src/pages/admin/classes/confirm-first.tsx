import { useState } from 'react'
import { CallError } from '#foundation/call.ts'
import { Callout } from '#ui/callout.tsx'

type Question = 'onClosedDay' | 'ifNoOverlap'
const BOTH: readonly Question[] = ['onClosedDay', 'ifNoOverlap']

/**
 * Confirms before classes are put on a closed day or overlap others, and before an unusual length. The server refuses
 * the first attempt with a question; sending the same values again confirms it. Changed values need a new confirmation.
 *
 * @param values everything the change depends on
 * @param questions the questions of the endpoint
 * @param own a question of the dialog itself, asked once before anything is sent; wrap the mutation in `askingFirst`
 */
export function useConfirmFirst(
  values: unknown,
  { questions = BOTH, own }: { questions?: readonly Question[]; own?: string | undefined } = {},
) {
  const key = JSON.stringify(values)
  const [askedOwn, setAskedOwn] = useState<string>()
  const [asked, setAsked] = useState<{ key: string; words: Partial<Record<Question, string>> }>({ key, words: {} })
  const words = asked.key === key ? asked.words : {}
  const sentences = Object.values(words).map((sentence) => `${sentence}.`)
  if (own !== undefined && own === askedOwn) sentences.push(own)
  return {
    isAsking: sentences.length > 0,
    /** The server's questions about these values. */
    note: sentences.length > 0 && (
      <Callout role="alert">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </Callout>
    ),
    /** Asks the dialog's own question instead of sending for the first time. */
    askingFirst: <M extends { mutate: (sent: never) => void }>(mutation: M): M => ({
      ...mutation,
      mutate: (sent: never) => (own === undefined || own === askedOwn ? mutation.mutate(sent) : setAskedOwn(own)),
    }),
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
