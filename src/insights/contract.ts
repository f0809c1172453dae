import { z } from 'zod'
import { User } from '../accounts/contract.ts'
import { endpoint } from '../foundation/endpoint.ts'
import { Paging, PoundsText } from '../foundation/fields.ts'

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
