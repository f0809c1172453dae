import type { ChangeEvent, ComponentProps } from 'react'
import { TextField } from './field.tsx'

export const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

/** A time, `HH:mm`, in every browser's language. Digits alone are enough. */
export function TimeField({ onChange, onBlur, ...field }: ComponentProps<typeof TextField>) {
  const change = (event: ChangeEvent<HTMLInputElement>, time: string) => {
    if (time !== event.target.value) event.target.value = time
    return onChange?.(event)
  }
  return (
    <TextField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      placeholder="HH:mm"
      maxLength={5}
      className="tabular-nums"
      onChange={(event) => change(event, event.target.value.replace(/^(\d\d)(\d\d)$/, '$1:$2'))}
      onBlur={(event) => {
        const time = wholeTime(event.target.value)
        if (time !== event.target.value) change({ ...event, type: 'change' }, time)
        return onBlur?.(event)
      }}
    />
  )
}

/** `9`, `930` and `9.30` are times too. Anything else is returned as it was typed. */
export function wholeTime(typed: string): string {
  const parts = /^\s*(\d{1,2})(?:[:.]?(\d\d))?\s*$/.exec(typed)
  const time = parts ? `${parts[1]?.padStart(2, '0')}:${parts[2] ?? '00'}` : ''
  return isTime(time) ? time : typed
}
