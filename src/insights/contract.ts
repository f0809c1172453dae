import { z } from 'zod'
import { User } from '../accounts/contract.ts'
import { ACTIONS, type AuditAction, AuditChanges, SubjectText } from '../audit/contract.ts'
import { endpoint } from '../foundation/endpoint.ts'
import { InstantText, Paging, PoundsText } from '../foundation/fields.ts'

export const Analytics = z
  .object({
    registeredStudents: z.int(),
    monthlyRevenue: PoundsText,
    totalRevenue: PoundsText,
    activePackages: z.int(),
    totalBookings: z.int(),
    confirmedBookings: z.int(),
    completedBookings: z.int(),
    totalPackages: z.int(),
  })
  .meta({ id: 'Analytics' })
export type Analytics = z.output<typeof Analytics>

export const getAnalytics = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/analytics',
  summary: 'The figures of the studio; revenue counts purchases less refunds',
  reply: Analytics,
  refusals: [],
})

/** A user as the admin's list shows one. */
export const AdminUser = User.extend({
  totalCredits: z.int(),
  bookingsCount: z.int(),
  emailVerified: z.boolean(),
  updatedAt: InstantText,
}).meta({ id: 'AdminUser' })
export type AdminUser = z.output<typeof AdminUser>

export const listUsers = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/users',
  summary: 'All users, newest first',
  query: Paging,
  reply: z.array(AdminUser),
  refusals: [],
})

/** One line of the record: who changed what, and when. */
export const AuditLine = z
  .object({
    id: z.int(),
    at: InstantText,
    admin: z.object({ id: z.string(), name: z.string().nullable() }),
    action: z.enum(Object.keys(ACTIONS) as [AuditAction, ...AuditAction[]]),
    subject: z.string(),
    changes: AuditChanges,
  })
  .meta({ id: 'AuditLine' })
export type AuditLine = z.output<typeof AuditLine>

export const listAudit = endpoint({
  who: 'admin',
  method: 'GET',
  path: '/api/admin/audit',
  summary: 'Who changed what and when, newest first; `subject` asks for the history of one thing (`class:42`)',
  query: Paging.pick({ limit: true, offset: true }).extend({ subject: SubjectText.optional() }),
  reply: z.array(AuditLine),
  refusals: [],
})
