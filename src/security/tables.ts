import { bigint, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '#platform/database/columns.ts'
import type { RecordedKind, SecurityDetails } from './contract.ts'

export const securityEvents = pgTable('security_events', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  at: instant().notNull(),
  kind: text().$type<RecordedKind>().notNull(),
  outcome: text({ enum: ['done', 'refused', 'failed'] }).notNull(),
  /** Null: nobody who was signed in. */
  actorId: text('actor_id'),
  /** Whose account it is about; null: of none, or of none that is known. */
  subjectId: text('subject_id'),
  /** The network it came from, as `networkOf` says it. */
  address: text(),
  details: jsonb().$type<SecurityDetails>().notNull().default({}),
})
