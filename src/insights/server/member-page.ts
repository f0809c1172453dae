import { accountRefusals } from '#accounts/contract.ts'
import { blockOf, findUser, notesOn } from '#accounts/server/accounts.ts'
import { bookingsOf, toBooking } from '#booking/server/booking.ts'
import { refuse } from '#foundation/refusal.ts'
import { refusalOf } from '#messages/server/messages.ts'
import { ledgerOf, passesOf } from '#passes/server/passes.ts'
import type { Reader } from '#platform/database/database.ts'
import type { MemberPage } from '../contract.ts'
import { usersForAdmin } from './queries.ts'

/** Of bookings and ledger lines the newest are shown; more helps nobody on a screen. */
const MOST_LINES = 200

/** All that the studio keeps of a user but health. */
export async function memberPage(reader: Reader, id: string, now: Temporal.Instant): Promise<MemberPage> {
  const [user] = await usersForAdmin(reader, { id }, now)
  if (!user) refuse(accountRefusals.user_not_found)
  const [row, refused, passes, bookings, ledger, notes] = await Promise.all([
    findUser(reader, id),
    refusalOf(reader, user.email),
    passesOf(reader, id),
    bookingsOf(reader, id, { limit: MOST_LINES }),
    ledgerOf(reader, id, { limit: MOST_LINES, namesAdmins: true }),
    notesOn(reader, id),
  ])
  const mailRefused = refused ? { since: refused.since.toString(), reason: refused.reason } : null
  return {
    user,
    mailRefused,
    blocked: row ? blockOf(row) : null,
    passes,
    bookings: bookings.map(toBooking),
    ledger,
    notes,
  }
}
