import { emailAddress } from '#foundation/fields.ts'
import { plainCell } from '../file/clean-text.ts'
import { isNone } from './words.ts'

const Email = emailAddress('')

/**
 * Reads an email address, in lower case. Null for an empty cell, undefined for anything else. `note`: further
 * addresses.
 */
export function emailOf(cell: string): { email: string; note?: string } | null | undefined {
  if (isNone(cell)) return null
  const text = plainCell(cell)
    .replace(/^mailto:/i, '')
    .toLowerCase()
  const whole = Email.safeParse(text).data
  if (whole) return { email: whole }
  const found = text
    .split(/[\s;,|<>()[\]"]+/)
    .flatMap((part) => Email.safeParse(part.replace(/^mailto:/, '')).data ?? [])
  const [email] = found
  if (!email) return undefined
  return found.length > 1
    ? { email, note: `“${cell.slice(0, 80)}” has several addresses; ${email} is imported.` }
    : { email }
}
