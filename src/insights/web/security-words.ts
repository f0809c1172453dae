import { formatMoney } from '#foundation/money.ts'
import { SECURITY_KINDS } from '#security/contract.ts'
import type { SecurityLine } from '../contract-security.ts'

const WORDS: Record<string, Record<string, string>> = {
  method: {
    password: 'password',
    passkey: 'passkey',
    totp: 'authenticator app',
    second_factor: 'password and second step',
    recovery_code: 'recovery code',
    mailed_link: 'emailed link',
    sign_up: 'signing up',
    command: 'command on the server',
  },
  why: {
    unknown_account: 'no such account',
    wrong_password: 'wrong password',
    no_password: 'no password set',
    unverified_address: 'address not confirmed',
    wrong_code: 'wrong code',
    out_of_date: 'expired',
    waiting: 'too many attempts',
    not_an_admin: 'not an admin',
    not_asked_again: 'had to confirm their identity',
  },
  scope: {
    pair: 'this account from this network',
    account: 'this account from anywhere',
    address: 'any account from this network',
  },
  factor: { passkey: 'passkey', totp: 'authenticator app', recovery_codes: 'recovery codes' },
  cause: {
    own_wish: 'at their request',
    studio: 'by the studio',
    command: 'by a command on the server',
    password: 'because of a new password',
    email: 'because of a new address',
    role: 'because rights changed',
    factor: 'because a second step changed',
    undone: 'because a change was undone',
    retention: 'by data retention',
  },
  what: { health_updates: 'changes in the list', session_notes: 'notes next to a session', answers: 'all answers' },
}

/** The most important first. */
const ORDER = [
  ...['what', 'fields', 'amount', 'why', 'scope', 'waitSeconds', 'factor', 'sessions', 'cause'],
  ...['method', 'browser', 'system', 'isNew'],
]

/** Details other than who, when and where; may be empty. */
export function detailsOf({ details, subjects }: SecurityLine): string {
  const given = ORDER.flatMap((field) => (field in details ? [[field, details[field]] as const] : []))
  const words = given.map(([field, value]) => {
    if (field === 'isNew') return value ? 'new browser or network' : ''
    if (field === 'waitSeconds') return `${Math.ceil(Number(value) / 60)} min`
    if (field === 'sessions') return `${value} ended`
    if (field === 'amount') return value === null ? '' : formatMoney(String(value))
    if (field === 'fields' && Array.isArray(value)) return value.map(plain).join(', ')
    return WORDS[field]?.[String(value)] ?? (value === null ? '' : String(value))
  })
  const all = subjects > 1 ? [`${subjects} members`, ...words] : words
  return all.filter((word) => word !== '').join(', ')
}

const plain = (field: string) =>
  field
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()

type Person = SecurityLine['actor']

/** A person's name; for a deleted account the start of its id. */
export const nameOf = (person: NonNullable<Person>) => person.name ?? `An erased account (${person.id.slice(0, 8)})`

export const KIND_OPTIONS: readonly (readonly [value: string, word: string])[] = [
  ['', 'Everything'],
  ...Object.entries(SECURITY_KINDS),
]
