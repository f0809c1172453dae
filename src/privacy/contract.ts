import { z } from 'zod'
import { accountRefusals, MemberNote, User } from '../accounts/contract.ts'
import { Booking, WaitingEntry } from '../booking/contract.ts'
import { CalendarFeed } from '../calendar/contract.ts'
import { endpoint } from '../foundation/endpoint.ts'
import { InstantText, Message, PoundsText, UserPathId } from '../foundation/fields.ts'
import { EmergencyContact, HealthUpdate, Questionnaire, Unreadable } from '../health/contract.ts'
import { LedgerLine, Pass } from '../passes/contract.ts'

export const deleteUser = endpoint({
  who: 'admin',
  method: 'DELETE',
  path: '/api/admin/users/:id',
  summary: 'Delete a user: upcoming bookings are cancelled; account, bookings, health data and passes are erased',
  params: UserPathId,
  reply: Message,
  refusals: [accountRefusals.user_not_found, accountRefusals.cannot_delete_self, accountRefusals.last_admin],
})

export const deleteOwnAccount = endpoint({
  who: 'member',
  method: 'DELETE',
  path: '/api/user',
  summary: 'Delete the own account, as an admin would; every session of it ends',
  reply: Message,
  refusals: [accountRefusals.user_not_found, accountRefusals.last_admin],
})

/** Everything the studio keeps about one member, in the words of the calls that show it. */
export const MemberData = z
  .object({
    exportedAt: InstantText,
    account: User,
    notes: z.array(MemberNote),
    newsletter: z.object({ requestedAt: InstantText, confirmedAt: InstantText.nullable() }).nullable(),
    passes: z.array(Pass),
    credits: z.array(LedgerLine),
    purchases: z.array(
      z.object({
        id: z.int(),
        package: z.string(),
        amount: PoundsText,
        purchasedAt: InstantText,
        refundedAt: InstantText.nullable(),
        refunded: PoundsText.nullable(),
      }),
    ),
    /** With what calendars know each booking by. */
    bookings: z.array(
      Booking.extend({ calendarUid: z.string(), calendarSequence: z.int() }).meta({ id: 'OwnBooking' }),
    ),
    /** The address of the own calendar feed; its secret is not kept. */
    calendarAddress: CalendarFeed.nullable(),
    waitingList: z.array(WaitingEntry),
    health: z.object({
      questionnaire: Questionnaire.or(Unreadable).nullable(),
      emergencyContact: EmergencyContact.or(Unreadable).nullable(),
      updates: z.array(
        HealthUpdate.pick({ updateType: true, createdAt: true, unreadable: true }).extend({
          changes: z.record(z.string(), z.object({ old: z.unknown(), new: z.unknown() })),
        }),
      ),
      /** When somebody of the studio read which of it. */
      readByTheStudio: z.array(z.object({ what: z.string(), at: InstantText })),
    }),
  })
  .meta({ id: 'MemberData' })
export type MemberData = z.input<typeof MemberData>

export const exportOwnData = endpoint({
  who: 'member',
  method: 'GET',
  path: '/api/user/export',
  summary: "All of the member's data as one JSON file",
  isExport: true,
  reply: MemberData,
  refusals: [],
})
