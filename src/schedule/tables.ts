import { integer, jsonb, snakeCase, text } from 'drizzle-orm/pg-core'
import type { FormerEntry } from '#booking/tables.ts'
import { instant } from '#platform/database/columns.ts'

/** What members lost when the studio cancelled classes: enough to email them, and to undo it. Instants are text. */
export type Lost = {
  bookings: number[]
  /** Late cancellations, whose credits came back too. */
  late: number[]
  waiting: FormerEntry[]
  /** Passes that were extended, with their former expiry. */
  passes: { id: number; expiresAt: string }[]
}

/** A class before it was cancelled, and its `updatedAt` since. `seriesUntil`: the end of its series, if shortened. */
export type CancelledClass = {
  id: number
  wasActive: boolean
  reservedPlaces: number
  updatedAt: string
  seriesUntil?: string | undefined
}

/** Deleted classes and closed days whose emails wait until they can no longer be undone. */
export const studioCancellations = snakeCase.table('studio_cancellations', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  adminId: text().notNull(),
  madeAt: instant().notNull(),
  classes: jsonb().$type<CancelledClass[]>().notNull(),
  lost: jsonb().$type<Lost>().notNull(),
  closed: jsonb().$type<{
    id: number
    from: string
    until: string
    hours?: { from: string; to: string } | undefined
    reason: string
    notify: boolean
  }>(),
  undoneAt: instant(),
})
