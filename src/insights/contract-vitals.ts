import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { Message } from '#foundation/fields.ts'

/** Largest Contentful Paint and Interaction to Next Paint in milliseconds, Cumulative Layout Shift as a score. */
export const VITALS = ['LCP', 'INP', 'CLS'] as const

export const VitalsReport = z.object({
  /** A path without query. */
  page: z.string().max(200),
  metrics: z
    .array(z.object({ name: z.enum(VITALS), value: z.number().min(0).max(600_000) }))
    .min(1)
    .max(VITALS.length),
})
export type VitalsReport = z.output<typeof VitalsReport>

export const reportVitals = endpoint('POST /api/vitals', {
  who: 'anyone',
  summary: 'Report how fast a page was; without ids, and silently ignored above the limit',
  body: VitalsReport,
  response: Message,
})

/** The value that three quarters of the visits stayed below. */
export const PageVitals = z
  .object({
    page: z.string(),
    visits: z.int(),
    LCP: z.number().nullable(),
    INP: z.number().nullable(),
    CLS: z.number().nullable(),
  })
  .meta({ id: 'PageVitals' })
export type PageVitals = z.output<typeof PageVitals>

export const listVitals = endpoint('GET /api/admin/vitals', {
  summary: 'The 75th percentile of each page’s speed in the last 28 days, the most visited first',
  response: z.array(PageVitals),
})
