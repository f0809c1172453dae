import { fullName } from '#accounts/rules.ts'
import type { KnownMember } from '#accounts/server/accounts.ts'
import { fold } from '#foundation/fold.ts'
import { phoneKey } from '../cells/phones.ts'
import type { ReadRow } from './read-row.ts'

/** Whom a row is about. `key` is the same for the rows of one person; `email` is null for a member by phone only. */
export type Person = { key: string; email: string | null; member: KnownMember | undefined; notes: string[] }
/** What the database knows of the addresses and numbers in the file; addresses in lower case. */
export type KnownPeople = {
  found: readonly KnownMember[]
  byPhone: readonly KnownMember[]
  taken: readonly string[]
  kept: readonly string[]
}
type Named = { firstName: string; lastName: string; phone: string | null }

const wordsOf = (person: Omit<Named, 'phone'>) => fold(fullName(person)).split(/[ -]+/)
const isWithin = (some: readonly string[], all: readonly string[]) => some.every((word) => all.includes(word))

/** Whether two names may be those of one person: the same words, or one has words more (Nell, Nell J. Ashby). */
function mayBeOne(a: Named, b: Named): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)]
  return isWithin(first, second) || isWithin(second, first)
}

/** The key of a member by phone: a number may be shared, so the name belongs to it. */
export const keyByPhone = (person: Omit<Named, 'phone'>, phone: string) =>
  `${phoneKey(phone)} ${fold(fullName(person))}`

/**
 * Finds the person of each row: an existing member, one whom an earlier row adds, or a new one. An address belongs to
 * one account, so further people at it are members by their phone number.
 */
export function findPeople({ found, byPhone, taken, kept }: KnownPeople) {
  const members = new Map(found.map((member) => [member.email?.toLowerCase(), member]))
  const phones = new Map(
    byPhone.flatMap((member) => (member.phone ? [[keyByPhone(member, member.phone), member] as const] : [])),
  )
  const [usernames, reserved] = [new Set(taken), new Set(kept)]

  const memberByPhone = (row: ReadRow, phone: string, notes: string[]): Person => {
    const key = keyByPhone(row, phone)
    return { key, email: null, member: phones.get(key), notes }
  }
  /** A member may have changed their name; another number, or an account by phone, is that of another person. */
  const isOther = (member: KnownMember, row: ReadRow): boolean => {
    if (!row.phone || mayBeOne(member, row)) return false
    const hasOwnPhone = member.phone !== null && phoneKey(row.phone) !== phoneKey(member.phone)
    return hasOwnPhone || phones.get(keyByPhone(row, row.phone))?.email === null
  }
  /** Another person than the one who has the address. */
  const atSharedAddress = (row: ReadRow, owner: string): Person | { wrong: string } => {
    if (!row.phone)
      return { wrong: `${owner} has this address. Give each person an address or a phone number of their own.` }
    const note = `${owner} has this address, so ${row.firstName} becomes a member by phone number only.`
    return memberByPhone(row, row.phone, [note])
  }

  return (row: ReadRow, firstAt: ReadonlyMap<string, ReadRow>): Person | { wrong: string } => {
    const { email } = row
    if (email === null) return memberByPhone(row, row.phone ?? '', [])
    if (usernames.has(email)) return { wrong: 'Another member uses this address as their username.' }
    if (reserved.has(email)) {
      return {
        wrong:
          'This was the address of a member who has recently changed it. It stays reserved for them for some days.',
      }
    }
    const member = members.get(email)
    if (member) {
      if (isOther(member, row)) return atSharedAddress(row, `The member ${fullName(member)}`)
      const isSame = fold(fullName(member)) === fold(fullName(row))
      const notes = isSame ? [] : [`They are already a member as ${fullName(member)}, and keep that name.`]
      return { key: email, email, member, notes }
    }
    const before = firstAt.get(email)
    if (before && !mayBeOne(before, row)) return atSharedAddress(row, `${fullName(before)} in line ${before.line}`)
    const isSpeltOtherwise = before && fold(fullName(before)) !== fold(fullName(row))
    const notes = isSpeltOtherwise
      ? [`Line ${before.line} has this address as ${fullName(before)}: they are one member.`]
      : []
    return { key: email, email, member: undefined, notes }
  }
}
