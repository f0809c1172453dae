import { and, eq, sql } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { askingNetwork } from '#platform/http/answer.ts'
import { recordSecurity } from '#security/server/security.ts'
import { securityEvents } from '#security/tables.ts'
import type { SessionMethod } from '../../session-rules.ts'
import type { Device } from '../sessions/device.ts'
import { findUser } from '../users.ts'
import { raiseAlarm } from './alarms.ts'

/** Puts on record that somebody signs in; of an admin, from a browser or a network that is new to the account, mails tell. */
export async function noteSignIn(
  tx: Tx,
  { userId, method, device }: { userId: string; method: SessionMethod; device: Device },
  { mode, now }: { mode: 'demo' | 'live'; now: Temporal.Instant },
): Promise<void> {
  const isNew = !(await wasHereBefore(tx, userId, device))
  await recordSecurity(tx, { kind: 'signed_in', actor: userId, details: { method, ...device, isNew } }, now)
  if (!isNew || mode === 'demo') return
  const user = await findUser(tx, userId)
  if (user?.isAdmin) await raiseAlarm(tx, 'new_sign_in', user, { mode, now, device })
}

/** Whether the record, which is kept for months, knows a sign-in to the account from this network with this browser. */
async function wasHereBefore(tx: Tx, userId: string, { browser, system }: Device): Promise<boolean> {
  const { id, actorId, kind, details, address } = securityEvents
  const [before] = await tx
    .select({ id })
    .from(securityEvents)
    .where(
      and(
        eq(actorId, userId),
        eq(kind, 'signed_in'),
        sql`${details} ->> 'browser' is not distinct from ${browser}`,
        sql`${details} ->> 'system' is not distinct from ${system}`,
        sql`${address} is not distinct from ${askingNetwork()}`,
      ),
    )
    .limit(1)
  return before !== undefined
}
