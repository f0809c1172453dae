import { z } from 'zod'
import { accountRefusals, MemberNote, User } from '#accounts/contract.ts'
import { ACTIONS, AuditChanges, SubjectText } from '#audit/contract.ts'
import { ManagedBooking } from '#booking/contract.ts'
import { keysOf } from '#foundation/collections.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { AmountText, DateText, InstantText, Paging, UserPathId } from '#foundation/fields.ts'
import { LedgerLine, Pass } from '#passes/contract.ts'
import { DESK_METHODS } from '#payments/contract.ts'
import { VOUCHER_FIGURES } from '#vouchers/rules.ts'

export const Analytics = z
  .object({
    registeredStudents: z.int(),
    monthlyRevenue: AmountText,
    totalRevenue: AmountText,
    activePackages: z.int(),
    totalBookings: z.int(),
    confirmedBookings: z.int(),
    completedBookings: z.int(),
    totalPackages: z.int(),
  })
  .meta({ id: 'Analytics' })
export type Analytics = z.output<typeof Analytics>

export const getAnalytics = endpoint('GET /api/admin/analytics', {
  summary: 'The figures of the studio; revenue counts purchases less refunds',
  response: Analytics,
})

/** Figures of this calendar month; bookings count by when they were made. */
export const Overview = z
  .object({
    totalUsers: z.int(),
    monthBookings: z.int(),
    monthConfirmed: z.int(),
    monthRevenue: AmountText,
  })
  .meta({ id: 'Overview' })
export type Overview = z.output<typeof Overview>

export const getOverview = endpoint('GET /api/admin/overview', {
  summary: 'The number of users, and this month’s bookings and revenue',
  response: Overview,
})

/** Credits and what was paid for them; gifts cost nothing. */
const Credits = z.object({ credits: z.int(), value: AmountText })

/** Payment methods. */
export const METHODS = { online: 'Online', ...DESK_METHODS } as const

/** The figures of a period and the credits outstanding now. `docs/studio-rules.md#reports` defines each. */
export const Report = z
  .object({
    /** Every month of the period, in order. */
    revenue: z.array(z.object({ month: z.string(), revenue: AmountText, purchases: z.int() })),
    /** By payment method, the highest first. */
    byMethod: z.array(z.object({ method: z.enum(keysOf(METHODS)), revenue: AmountText, purchases: z.int() })),
    /** Booked places by weekday (1 is Monday) and starting hour, without empty hours. */
    busy: z.array(z.object({ weekday: z.int(), hour: z.int(), bookings: z.int() })),
    /** Places offered and taken in classes that have started. */
    fill: z.object({ places: z.int(), taken: z.int() }),
    /** Classes that have started, by who taught them. `takenOver`: another teacher was to teach them. */
    byTeacher: z.array(
      z.object({
        teacher: z.string(),
        classes: z.int(),
        takenOver: z.int(),
        places: z.int(),
        booked: z.int(),
        came: z.int(),
        noShow: z.int(),
      }),
    ),
    outstanding: Credits,
    /** Passes with credits that are paused today. */
    paused: z.int(),
    breakage: Credits,
    /** Always all of them, in this order. */
    vouchers: z.array(z.object({ figure: z.enum(keysOf(VOUCHER_FIGURES)), count: z.int(), amount: AmountText })),
  })
  .meta({ id: 'Report' })
export type Report = z.output<typeof Report>

/** A report reads every class and purchase of its period. */
const MAX_YEARS = 10
const period = z
  .object({ from: DateText(), to: DateText() })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'Please choose an end that is not before the start' })
  .refine(({ from, to }) => Number(to.slice(0, 4)) - Number(from.slice(0, 4)) <= MAX_YEARS, {
    path: ['to'],
    message: `Please choose at most ${MAX_YEARS} years`,
  })

export const getReport = endpoint('GET /api/admin/report', {
  summary:
    'Revenue by month and payment method, bookings by weekday and hour, fill rate, classes by teacher, expired credits and gift vouchers of a period; credits outstanding now',
  query: period,
  response: Report,
})

export const exportReport = endpoint('GET /api/admin/report.csv', {
  summary: 'The same figures as a file for spreadsheets',
  query: period,
  file: 'text/csv',
  response: z.string(),
})

/** The classes of a weekday and start time that have started in a period, and how their bookings ended. */
export const Slot = z
  .object({
    /** 1 is Monday. */
    weekday: z.int(),
    startTime: z.string(),
    classes: z.int(),
    /** Places offered. */
    places: z.int(),
    /** Places taken to the end: came, or did not. */
    booked: z.int(),
    came: z.int(),
    noShow: z.int(),
    /** Cancelled with the credit back, and with the credit kept. */
    cancelled: z.int(),
    cancelledLate: z.int(),
    /** Booked places of those offered, in whole per cent. */
    fillPercent: z.int(),
  })
  .meta({ id: 'Slot' })
export type Slot = z.output<typeof Slot>

export const listSlots = endpoint('GET /api/admin/slots', {
  summary: 'Fill rate, attendance and cancellations of a period by weekday and start time',
  query: period,
  response: z.array(Slot),
})

export const exportSlots = endpoint('GET /api/admin/slots.csv', {
  summary: 'The same figures as a file for spreadsheets',
  query: period,
  file: 'text/csv',
  response: z.string(),
})

/** A user as the admin's list shows one. */
export const AdminUser = User.extend({
  totalCredits: z.int(),
  bookingsCount: z.int(),
  emailVerified: z.boolean(),
  /** False until they have set a password from their invitation. */
  canLogIn: z.boolean(),
  /** When the latest invitation was emailed. */
  invitedAt: InstantText.nullable(),
  /** Of a teacher: the name in the studio settings whose classes are theirs; null for all classes. */
  teachesAs: z.string().nullable(),
  /** Whether the questionnaire and the emergency contact exist. */
  healthComplete: z.boolean(),
  updatedAt: InstantText,
}).meta({ id: 'AdminUser' })
export type AdminUser = z.output<typeof AdminUser>

export const listUsers = endpoint('GET /api/admin/users', {
  summary: 'All users, newest first',
  query: Paging,
  response: z.array(AdminUser),
})

/** A user with everything but health data. Bookings and ledger: the newest 200. */
export const MemberPage = z
  .object({
    user: AdminUser,
    /** When and why a mail server refused their address. */
    mailRefused: z.object({ since: InstantText, reason: z.string() }).nullable(),
    /** When and why they were blocked from booking and buying. */
    blocked: z.object({ since: InstantText, reason: z.string() }).nullable(),
    passes: z.array(Pass),
    bookings: z.array(ManagedBooking),
    ledger: z.array(LedgerLine),
    notes: z.array(MemberNote),
  })
  .meta({ id: 'MemberPage' })
export type MemberPage = z.output<typeof MemberPage>

export const getMemberPage = endpoint('GET /api/admin/users/:id', {
  summary: 'A member: bookings, passes, credit ledger and notes',
  params: UserPathId,
  response: MemberPage,
  refusals: [accountRefusals.user_not_found],
})

/** A line of the audit log. */
export const AuditLine = z
  .object({
    id: z.int(),
    at: InstantText,
    admin: z.object({ id: z.string(), name: z.string().nullable() }),
    action: z.enum(keysOf(ACTIONS)),
    subject: z.string(),
    changes: AuditChanges,
  })
  .meta({ id: 'AuditLine' })
export type AuditLine = z.output<typeof AuditLine>

export const listAudit = endpoint('GET /api/admin/audit', {
  summary: 'The audit log, newest first; `subject` limits it to one thing, such as `class:42`',
  query: Paging.pick({ limit: true, offset: true }).extend({ subject: SubjectText.optional() }),
  response: z.array(AuditLine),
})
