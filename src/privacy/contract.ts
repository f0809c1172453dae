import { z } from 'zod'
import { accountRefusals, MemberNote, User } from '#accounts/contract.ts'
import { Passkey } from '#accounts/contract-factors.ts'
import { PendingEmail } from '#accounts/contract-profile.ts'
import { KeptAddress, KeptSession } from '#accounts/contract-sessions.ts'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { ACTIONS, AuditChanges } from '#audit/contract.ts'
import { Booking } from '#booking/contract.ts'
import { PastNote } from '#booking/contract-day.ts'
import { RegularBooking } from '#booking/contract-regular.ts'
import { WaitingEntry } from '#booking/contract-waiting.ts'
import { CalendarFeed } from '#calendar/contract.ts'
import { keysOf } from '#foundation/collections.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, InstantText, Paging, requiredText, UserPathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { EmergencyContact, HealthUpdate, Questionnaire, Unreadable } from '#health/contract.ts'
import { TEXT_STATES } from '#messages/rules.ts'
import { LedgerLine, Pass } from '#passes/contract.ts'
import { KeptSubscription } from '#push/contract.ts'
import { OwnSecurityEvent } from '#security/contract.ts'
import { DataComplaint } from './contract-complaints.ts'

export const privacyRefusals = refusals({
  deletion_changed: [409, 'Something about this member has changed since you opened this. Please check it again.'],
})

/** What deleting a member erases, and what stays. */
export const DeletionFacts = z
  .object({
    /** Confirmed bookings of classes that have not started; they are cancelled. */
    upcomingBookings: z.int(),
    /** Whether they are emailed about these; otherwise the admin calls them first. */
    isEmailed: z.boolean(),
    earlierBookings: z.int(),
    waitingLists: z.int(),
    /** On passes that have not expired. */
    credits: z.int(),
    hasHealthInformation: z.boolean(),
    /** Complaints, about data or noted by an admin, that are open. */
    openComplaints: z.int(),
    /** Purchases; they stay without name and email. */
    receipts: z.int(),
  })
  .meta({ id: 'DeletionFacts' })
export type DeletionFacts = z.output<typeof DeletionFacts>

export const getDeletionFacts = endpoint('GET /api/admin/users/:id/deletion', {
  summary: 'What deleting a user would erase, and what would stay',
  params: UserPathId,
  response: DeletionFacts,
  refusals: [accountRefusals.user_not_found],
})

const seen = z.coerce.number().int().min(0).optional()
export const deleteUser = endpoint('DELETE /api/admin/users/:id', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary:
    'Delete a user: upcoming bookings are cancelled; account, bookings, health data and passes are erased. With the figures of `…/deletion` it is refused if they have changed',
  params: UserPathId,
  query: z.object({ credits: seen, upcomingBookings: seen, openComplaints: seen }),
  says: 'User deleted successfully',
  refusals: [
    accountRefusals.user_not_found,
    accountRefusals.cannot_delete_self,
    accountRefusals.last_admin,
    privacyRefusals.deletion_changed,
  ],
})

export const deleteOwnAccount = endpoint('DELETE /api/user', {
  isPrivate: true,
  who: 'member',
  summary: 'Delete your own account and end all its sessions',
  says: 'Your account has been deleted.',
  refusals: [accountRefusals.user_not_found, accountRefusals.last_admin],
})

/** How much one run of the daily retention job erased. */
export const RetentionRun = z
  .object({
    id: z.int(),
    ranAt: InstantText,
    /** Whole accounts. */
    members: z.int(),
    /** Members whose health information was erased but whose account stays. */
    healthRecords: z.int(),
    purchases: z.int(),
    /** Of health reads, admin changes, sign-ins and messages. */
    recordLines: z.int(),
    /** Retried the next day. */
    failures: z.int(),
  })
  .meta({ id: 'RetentionRun' })
export type RetentionRun = z.output<typeof RetentionRun>

export const listRetentionRuns = endpoint('GET /api/admin/retention-runs', {
  summary: 'How much the daily retention job erased, newest run first',
  query: Paging.pick({ limit: true, offset: true }),
  response: z.array(RetentionRun),
})

export const downloadWhatWeKeep = endpoint('GET /api/admin/what-we-keep.pdf', {
  summary: 'What the studio keeps about people, why and how long, as PDF for the record of processing',
  file: 'application/pdf',
  response: z.string(),
})

export const Complaint = z
  .object({ reason: z.string(), openedBy: z.string().nullable(), openedAt: InstantText })
  .meta({ id: 'Complaint' })
export type Complaint = z.output<typeof Complaint>
export const ComplaintForm = z.object({ reason: requiredText('Please say what it is about', 500) })
export type ComplaintForm = z.output<typeof ComplaintForm>

export const getComplaint = endpoint('GET /api/admin/users/:id/complaint', {
  summary: "A member's open complaint, or null",
  params: UserPathId,
  response: Complaint.nullable(),
  refusals: [accountRefusals.user_not_found],
})

export const openComplaint = endpoint('PUT /api/admin/users/:id/complaint', {
  summary: "Note a member's complaint: retention keeps their data until it is closed",
  params: UserPathId,
  body: ComplaintForm,
  response: Complaint,
  refusals: [accountRefusals.user_not_found],
})

export const closeComplaint = endpoint('DELETE /api/admin/users/:id/complaint', {
  summary: "Close a member's complaint",
  params: UserPathId,
  says: 'Complaint closed',
  refusals: [accountRefusals.user_not_found],
})

const MoneyMoved = z.object({ amount: AmountText, status: z.string(), at: InstantText })
const FraudWarning = z.object({ kind: z.string(), at: InstantText })

const Invited = z.object({
  class: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  state: z.string(),
  invitedAt: InstantText,
})

/** Everything the studio keeps about one member. */
export const MemberData = z
  .object({
    exportedAt: InstantText,
    account: User.extend({
      invitedAt: InstantText.nullable(),
      /** Whether they have switched text messages off. */
      textsOff: z.boolean(),
      /** The name that they teach under, if they do. */
      teachesAs: z.string().nullable(),
      blocked: z.object({ since: InstantText, reason: z.string() }).nullable(),
    }).meta({ id: 'OwnAccount' }),
    secondSteps: z.object({
      passkeys: z.array(Passkey),
      authenticatorAppSince: InstantText.nullable(),
      recoveryCodesLeft: z.int(),
    }),
    notes: z.array(MemberNote),
    /** Noted by an admin. */
    complaint: Complaint.nullable(),
    dataComplaints: z.array(DataComplaint),
    newsletter: z.object({ requestedAt: InstantText, confirmedAt: InstantText.nullable() }).nullable(),
    /** Given outside the health form. */
    marketingConsent: z
      .object({
        agreedAt: InstantText,
        source: z.enum(['import', 'dashboard']),
        note: z.string().nullable(),
        recordedAt: InstantText,
      })
      .nullable(),
    newsOfferAnsweredAt: InstantText.nullable(),
    marketingObjectedAt: InstantText.nullable(),
    /** Messages to many, before the member's own details were filled in. */
    messages: z.array(
      z.object({ subject: z.string(), text: z.string(), kind: z.string(), sentAt: InstantText, status: z.string() }),
    ),
    /** Phone calls to make instead of emails, for a member without an address. */
    calls: z.array(z.object({ subject: z.string(), gist: z.string(), createdAt: InstantText })),
    /** Text messages; `phone` is null before they are sent. */
    /** Browsers that show notifications, and the kinds that the member has switched off. */
    notifications: z.object({ devices: z.array(KeptSubscription), off: z.array(z.string()) }),
    texts: z.array(
      z.object({ body: z.string(), phone: z.string().nullable(), state: z.enum(TEXT_STATES), writtenAt: InstantText }),
    ),
    passes: z.array(Pass),
    credits: z.array(LedgerLine),
    purchases: z.array(
      z.object({
        id: z.int(),
        receiptNumber: z.int(),
        package: z.string(),
        amount: AmountText,
        purchasedAt: InstantText,
        method: z.string().nullable(),
        /** Of a desk sale. */
        note: z.string().nullable(),
        voidedAt: InstantText.nullable(),
        refunded: AmountText.nullable(),
        /** When they asked to begin within the cancellation period. */
        beginRequestedAt: InstantText.nullable(),
        refunds: z.array(MoneyMoved),
        disputes: z.array(MoneyMoved),
        /** Fraud warnings by the card network. */
        warnings: z.array(FraudWarning),
      }),
    ),
    /** Gift vouchers that the member bought or redeemed, without codes. */
    vouchers: z.array(
      z.object({
        package: z.string(),
        state: z.string(),
        isBuyer: z.boolean(),
        recipientName: z.string(),
        recipientEmail: z.string().nullable(),
        message: z.string().nullable(),
        soldAt: InstantText.nullable(),
        expiresAt: InstantText,
        redeemedAt: InstantText.nullable(),
      }),
    ),
    /** Payments without a purchase: unfinished, processing, returned or cancelled. */
    payments: z.array(
      z.object({
        package: z.string(),
        amount: AmountText,
        state: z.string(),
        startedAt: InstantText,
        settledAt: InstantText.nullable(),
        /** The amount that the card provider collected. */
        paid: AmountText.nullable(),
        method: z.string().nullable(),
        refunds: z.array(MoneyMoved),
        disputes: z.array(MoneyMoved),
        warnings: z.array(FraudWarning),
      }),
    ),
    bookings: z.array(
      Booking.extend({ calendarUid: z.string(), calendarSequence: z.int() }).meta({ id: 'OwnBooking' }),
    ),
    calendarAddress: CalendarFeed.nullable(),
    regularBookings: z.array(RegularBooking),
    /** Whom they invited to a class for two, and what other members typed about them to invite them. */
    companions: z.array(Invited),
    invitationsTo: z.array(Invited),
    objectsToInvitations: z.boolean(),
    waitingList: z.array(WaitingEntry),
    health: z.object({
      questionnaire: Questionnaire.or(Unreadable).nullable(),
      emergencyContact: EmergencyContact.or(Unreadable).nullable(),
      updates: z.array(
        HealthUpdate.pick({ updateType: true, createdAt: true, unreadable: true }).extend({
          changes: z.record(z.string(), z.object({ old: z.unknown(), new: z.unknown() })),
        }),
      ),
      /** What the instructor wrote about their sessions; `text` is null if it cannot be decrypted. */
      sessionNotes: z.array(PastNote.pick({ date: true, startTime: true, text: true, writtenAt: true })),
      readByTheStudio: z.array(z.object({ what: z.string(), at: InstantText })),
    }),
    /** What admins changed about the member or their bookings, purchases and health updates. Names no admin. */
    changedByTheStudio: z.array(
      z.object({ at: InstantText, action: z.enum(keysOf(ACTIONS)), about: z.string(), changes: AuditChanges }),
    ),
    security: z.array(OwnSecurityEvent),
    sessions: z.array(KeptSession),
    /** A change of address that waits for confirmation. */
    addressAskedFor: PendingEmail.nullable(),
    addressesBefore: z.array(KeptAddress),
  })
  .meta({ id: 'MemberData' })
export type MemberData = z.input<typeof MemberData>

export const exportMemberData = endpoint('GET /api/admin/users/:id/export', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: "All of a member's data as one JSON file; the download and the reading of health answers are recorded",
  params: UserPathId,
  isExport: true,
  response: MemberData,
  refusals: [accountRefusals.user_not_found],
})

export const exportMembers = endpoint('GET /api/admin/members.csv', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: 'All members as a spreadsheet file that the import reads; the download is recorded',
  file: 'text/csv',
  response: z.string(),
})

export const exportOwnData = endpoint('GET /api/user/export', {
  who: 'member',
  summary: "All of the member's data as one JSON file",
  isExport: true,
  response: MemberData,
})
