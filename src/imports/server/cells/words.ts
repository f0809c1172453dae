import { MAX_CREDITS } from '../../rules.ts'
import { plainCell } from '../file/clean-text.ts'

const NONE =
  /^(?:n\/?a|none|nil|null|nan|undefined|-+|\.+|\?+|#n\/a|unknown|not (?:set|given|known|provided|applicable|available))$/i

/** Whether a cell says that there is nothing. */
export const isNone = (cell: string) => cell === '' || NONE.test(plainCell(cell))

const NEVER = /^(?:never(?: expires?)?|no expir(?:y|ation)(?: date)?|does not expire|lifetime|unlimited|∞)$/i

/** Whether a cell says that a pass does not expire. */
export const isNever = (cell: string) => NEVER.test(plainCell(cell))

/**
 * A whole number of credits, 0 if there are none, undefined for anything else. `5 of 8` and `5/8` are what is left of
 * a pass.
 */
export function creditsOf(cell: string): number | undefined {
  if (isNone(cell)) return 0
  const counted =
    /^(\d{1,4})(?:[.,]0{1,2})?(?: ?(?:of|\/) ?\d{1,4})?(?: ?(?:credit|session|visit|class|classe|use|lesson)s?)?(?: (?:left|remaining))?$/i
  const credits = Number(counted.exec(plainCell(cell))?.[1] ?? Number.NaN)
  return credits <= MAX_CREDITS ? credits : undefined
}

const YES =
  /^(?:yes|y|true|1|x|on|ok|agreed|accepted|consented|granted|i agree|[✓✔☑✅]\ufe0f?|opt(?:ed)?[ -]?in|subscribed)$/i
const NO =
  /^(?:no|n|false|0|off|never|declined|refused|denied|pending|cleaned|[✗✘☐❌]|opt(?:ed)?[ -]?out|(?:un|not |non-?)subscribed)$/i

/** Whether a cell says that the member agreed to news and offers; undefined if it says neither. */
export function consentOf(cell: string): boolean | undefined {
  const word = plainCell(cell)
  if (YES.test(word)) return true
  return isNone(cell) || NO.test(word) ? false : undefined
}

/** Whether the status of a booking says that the member does not come. */
export const isOff = (status: string) =>
  /cancel|no.?show|declin|wait|missed|refund|delet|reject|remov|expired/i.test(status)

/** Whether a spreadsheet would treat the text as a formula. */
export const isFormula = (text: string) => /^[=+\-@\t\r]/.test(text)
