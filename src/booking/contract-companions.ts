import { z } from 'zod'
import { Account, accountRefusals, passwordText } from '#accounts/contract.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { Flag, InstantText, Message, PathId, requiredText } from '#foundation/fields.ts'
import { personName } from '#foundation/person-names.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { BeginRequest, Booking, ClassFacts, CompanionForm, companionPlace } from './contract.ts'
import { bookingRefusals, companionRefusals } from './refusals.ts'

export const addCompanion = endpoint('POST /api/bookings/:id/companion', {
  who: 'member',
  summary: 'Hold the second place of a booked class for a companion, who is invited by email',
  params: PathId,
  body: CompanionForm.extend({
    /** Admins only: for any member’s booking, until the class ends. */
    override: Flag.nullish(),
    beginRequest: BeginRequest.nullish(),
  }),
  response: Booking,
  status: 201,
  refusals: [
    bookingRefusals.booking_not_found,
    bookingRefusals.booking_not_confirmed,
    accountRefusals.account_blocked,
    ...companionPlace,
  ],
})

export const cancelCompanion = endpoint('DELETE /api/bookings/:id/companion', {
  who: 'member',
  summary:
    'Cancel the companion’s place of a booking: a held place always returns its credit, a booked one by the 120-minute rule',
  params: PathId,
  response: Booking,
  refusals: [
    bookingRefusals.booking_not_found,
    companionRefusals.companion_not_found,
    bookingRefusals.too_late_to_cancel,
  ],
})

export const PaidPlace = z
  .object({
    id: z.int(),
    /** The caller's own booking that brought the companion, for `DELETE /api/bookings/:id/companion`. */
    bookingId: z.int(),
    classId: z.int(),
    class: ClassFacts,
    /** As the caller named them; empty once the invitation is forgotten. */
    companion: z.object({ firstName: z.string() }),
    state: z.enum(['held', 'confirmed']),
    /** Only while it is held. */
    heldUntil: InstantText.nullable(),
    isMoved: z.boolean(),
    hasPassEnded: z.boolean(),
  })
  .meta({ id: 'PaidPlace' })
export type PaidPlace = z.output<typeof PaidPlace>

export const listPaidPlaces = endpoint('GET /api/user/paid-places', {
  who: 'member',
  summary: 'Companions’ places ahead that the member pays for, and whose own booking has been moved or cancelled',
  response: z.array(PaidPlace),
})

export const HeldPlace = z
  .object({
    id: z.int(),
    bookingId: z.int(),
    classId: z.int(),
    class: ClassFacts,
    /** Who invited them. */
    member: z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }),
    companion: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
    heldUntil: InstantText,
  })
  .meta({ id: 'HeldPlace' })
export type HeldPlace = z.output<typeof HeldPlace>

export const listHeldPlaces = endpoint('GET /api/admin/held-places', {
  summary: 'The places held for companions, the next to end first',
  response: z.array(HeldPlace),
})

export const confirmHeldPlace = endpoint('PUT /api/admin/held-places/:id/confirm', {
  summary:
    'Book a held place for the companion, with or without health information; a companion without an account gets one and an email to set a password',
  params: PathId,
  response: Booking,
  refusals: [
    companionRefusals.companion_not_found,
    companionRefusals.invitation_ended,
    companionRefusals.invitation_accepted,
    companionRefusals.invitation_pass_paused,
    bookingRefusals.already_booked,
    bookingRefusals.class_started,
    bookingRefusals.class_inactive,
    accountRefusals.account_blocked,
    accountRefusals.email_taken,
    accountRefusals.username_taken,
  ],
})

export const endHeldPlace = endpoint('DELETE /api/admin/held-places/:id', {
  summary: 'End a held place; its credit goes back and both people are emailed',
  params: PathId,
  says: 'The place is free again',
  refusals: [companionRefusals.companion_not_found, companionRefusals.invitation_ended],
})

const token = requiredText('This link is incomplete. Please open it from your email again.', 200)
export const Invitation = z
  .object({
    class: ClassFacts,
    invitedBy: z.object({ firstName: z.string() }),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    /** Until when the place is held. */
    heldUntil: InstantText,
    /** They already have a place in this class, and are asked whether to come every week. */
    isBooked: z.boolean(),
    hasAccount: z.boolean(),
    /** The weekly slot of a regular booking, for which accepting counts too. */
    regular: z.object({ day: z.enum(WEEKDAYS), startTime: z.string() }).nullable(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.output<typeof Invitation>

const notOpen = [
  companionRefusals.invitation_not_found,
  companionRefusals.invitation_ended,
  companionRefusals.invitation_accepted,
]

export const readInvitation = endpoint('POST /api/invitations', {
  who: 'anyone',
  summary: 'The invitation of an emailed link',
  body: z.object({ token }),
  response: Invitation,
  refusals: notOpen,
})

export const acceptInvitation = endpoint('POST /api/invitations/accept', {
  who: 'member',
  summary: 'Accept an invitation to the caller’s address: the held place becomes a booking',
  body: z.object({ token }),
  response: Booking,
  status: 201,
  refusals: [
    ...notOpen,
    companionRefusals.invitation_for_another_address,
    companionRefusals.invitation_pass_paused,
    accountRefusals.account_blocked,
    bookingRefusals.already_booked,
    bookingRefusals.class_started,
    bookingRefusals.class_inactive,
    bookingRefusals.health_information_missing,
  ],
})

export const declineInvitation = endpoint('POST /api/invitations/decline', {
  who: 'anyone',
  summary: 'Decline an invitation; with `never` the address cannot be invited again',
  body: z.object({ token, never: Flag.nullish() }),
  response: Message,
  refusals: notOpen,
})

const AccountForm = z.object({
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  password: passwordText,
})
export const signUpInvited = endpoint('POST /api/invitations/account', {
  who: 'anyone',
  summary: 'Sign up with the invited address, which the link has proved, and log in',
  body: AccountForm.extend({ token }),
  response: Account,
  status: 201,
  refusals: [
    ...notOpen,
    accountRefusals.email_taken,
    accountRefusals.username_taken,
    accountRefusals.already_invited,
    accountRefusals.common_password,
    commonRefusals.too_many_requests,
  ],
})
