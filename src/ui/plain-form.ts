import { type FormEvent, useCallback, useRef, useState } from 'react'
import { refusedFields } from './refused-fields.ts'

type Texts<Name extends string> = Record<Name, string>
/** What is wrong, by the name of the field. */
type Wrong = Partial<Record<string, string>>
/** What a check says of a form's texts: what to send, or what is wrong. */
export type Checked<Sent> = { sent: Sent } | { wrong: Wrong }

/**
 * A form of text fields which belong to the browser: what was typed before this script came is kept and sent. It is
 * checked when it is sent; from then on every key checks the field it was pressed in. The texts outlive the fields:
 * a form may leave the page and come back. It is for pages that must be light; others have react-hook-form.
 *
 * @param begin every field's name, with the text it begins with
 * @param check may take its time; nothing is sent before it answers
 */
export function usePlainForm<Name extends string, Sent>(
  begin: Texts<Name>,
  check: (typed: Texts<Name>) => Promise<Checked<Sent>>,
) {
  const [typed, setTyped] = useState(begin)
  const [wrong, setWrong] = useState<Wrong>({})
  const form = useRef<HTMLFormElement>(null)
  const kept = useRef(begin)
  const wasSent = useRef(false)

  const keep = useCallback((texts: object) => {
    kept.current = { ...kept.current, ...texts }
    setTyped(kept.current)
    return kept.current
  }, [])
  const read = () => keep(Object.fromEntries(new FormData(form.current ?? undefined)))
  /** The fields are there, filled by somebody who was faster than this script, or empty: then they take what is kept. */
  const ref = useCallback(
    (element: HTMLFormElement | null) => {
      form.current = element
      if (!element) return
      for (const field of inputsOf(element)) {
        const { [field.name]: before }: Wrong = kept.current
        if (field.value) keep({ [field.name]: field.value })
        // An empty text is not written: a password manager's would go.
        else if (before) field.value = before
      }
    },
    [keep],
  )
  /** Says it beside the fields and leads to the first of them. */
  const show = (said: Wrong) => {
    setWrong(said)
    inputsOf(form.current)
      .find(({ name }) => said[name])
      ?.focus()
  }

  return {
    /** What stands in the fields. */
    typed,
    /** Spread into a field. */
    field: (name: Name) => ({ name, error: wrong[name] }),
    /** Spread into the `<form>`. */
    sending: (send: (sent: Sent) => void) => ({
      ref,
      noValidate: true,
      // Sent before this script is there, a password must not stand in the address.
      method: 'post',
      onInput: async ({ target }: FormEvent) => {
        const texts = read()
        if (!wasSent.current || !(target instanceof HTMLInputElement)) return
        const { name } = target
        const checked = await check(texts)
        const said = 'wrong' in checked ? checked.wrong[name] : undefined
        setWrong((before) => ({ ...before, [name]: said }))
      },
      onSubmit: async (event: FormEvent) => {
        event.preventDefault()
        wasSent.current = true
        const checked = await check(read())
        show('wrong' in checked ? checked.wrong : {})
        if ('sent' in checked) send(checked.sent)
      },
    }),
    /** Writes into a field, whether it is on the page or not. */
    put: (name: Name, text: string) => {
      keep({ [name]: text })
      for (const field of inputsOf(form.current)) if (field.name === name) field.value = text
    },
    /** Shows what the server refused. Answers whether it was about fields of this form. */
    refuse: (error: unknown): boolean => {
      const refused = refusedFields(error, Object.keys(begin))
      if (refused.length > 0) show(Object.fromEntries(refused.map(({ field, message }) => [field, message])))
      return refused.length > 0
    },
  }
}

const inputsOf = (form: HTMLFormElement | null) =>
  [...(form?.elements ?? [])].filter((field) => field instanceof HTMLInputElement)
