import { and, asc, desc, eq, gt, inArray, isNull, max, sql } from 'drizzle-orm'
import { memberMatches } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { recordAdminChange } from '#audit/server/audit.ts'
import { ownerOf } from '#facts/rules.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { refuse } from '#foundation/refusal.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { countFrom, limitToPage } from '#platform/database/paging.ts'
import type { Vault } from '#platform/vault/vault.ts'
import { studio } from '#studio.ts'
import { type HealthUpdate, healthRefusals } from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import { healthUpdates } from '../tables.ts'
import { recordHealthReads } from './access-log.ts'
import { type Changes, nextUpdate, ofUpdate, sealedChanges } from './answers.ts'

type Saved = {
  userId: string
  updateType: HealthUpdate['updateType']
  changes: Changes
  now: Temporal.Instant
  /** The owner typed it in, so there is no notice. */
  paper?: object | undefined
}

/** One mail covers all saves of a member within this time; the form itself saves twice. */
const ONE_NOTICE_MINUTES = 10

/** Records every save, even without changes, and notifies the owner. */
export async function recordHealthUpdate(tx: Tx, vault: Vault, saved: Saved): Promise<void> {
  const { userId, updateType, changes, now, paper } = saved
  const { id, version } = await nextUpdate(tx)
  const sealed = vault.seal({ owner: userId, row: id, version }, 'changes', changes)
  if (!paper && !(await wasNotifiedRecently(tx, userId, now))) await notifyOwner(tx, userId)
  await tx
    .insert(healthUpdates)
    .overridingSystemValue()
    .values({ id, userId, updateType, sealedChanges: sealed, version, createdAt: now })
}

/** The member is locked, so a concurrent second save sees the first. */
async function wasNotifiedRecently(tx: Tx, userId: string, now: Temporal.Instant): Promise<boolean> {
  const since = now.subtract({ minutes: ONE_NOTICE_MINUTES })
  const recent = and(eq(healthUpdates.userId, userId), gt(healthUpdates.createdAt, since))
  return (await tx.$count(healthUpdates, recent)) > 0
}

async function notifyOwner(tx: Tx, userId: string): Promise<void> {
  const [member] = await tx.select().from(users).where(eq(users.id, userId))
  if (!member) return
  await queueMail(tx, 'health-update-notice', {
    to: ownerOf(await currentFacts(tx)),
    member: { name: `${member.firstName} ${member.lastName}`.trim() },
  })
}

/** All of a member's health updates, oldest first, for the member's own export. */
export async function healthHistoryOf(reader: Reader, vault: Vault, userId: string) {
  const rows = await reader
    .select()
    .from(healthUpdates)
    .where(eq(healthUpdates.userId, userId))
    .orderBy(asc(healthUpdates.createdAt), asc(healthUpdates.id))
  return rows.map((row) => ({ ...row, ...changesIn(vault, row) }))
}

export type Page = { limit?: number; offset?: number; search?: string; by?: 'day' }

/**
 * Health updates for an admin, those not marked as sent first, then newest first; the reads are recorded.
 *
 * @param page.search part of a member's name or email, in any case
 * @param page.by see the contract
 */
export async function listHealthUpdates(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  page: Page,
  now: Temporal.Instant,
) {
  const group = limitToPage(groupsOf(tx, page), page).as('group')
  const rows = await updatesWithMember(tx)
    .innerJoin(group, sql`${healthUpdates.id} = any(${group.ids})`)
    .orderBy(desc(group.isNew), desc(group.newestAt), desc(group.newestId), desc(healthUpdates.id))
  await recordHealthReads(tx, admin, { members: membersOf(rows), what: 'health_updates' }, now)
  return rows.map((row) => toHealthUpdate(row, vault))
}

export async function countHealthUpdates(reader: Reader, page: Page) {
  return await countFrom(reader, groupsOf(reader, page), page.offset)
}

/** What a page counts: single updates, or all of a member on a day that are new, or that are not. */
function groupsOf(reader: Reader, { search, by }: Page) {
  const words = search?.trim()
  const isNew = sql<boolean>`${isNull(healthUpdates.notifiedAt)}`
  const day = sql`(${healthUpdates.createdAt} at time zone ${sql.raw(`'${studio.timeZone}'`)})::date`
  return reader
    .select({
      ids: sql<number[]>`array_agg(${healthUpdates.id})`.as('ids'),
      isNew: isNew.as('is_new'),
      newestAt: max(healthUpdates.createdAt).as('newest_at'),
      newestId: max(healthUpdates.id).as('newest_id'),
    })
    .from(healthUpdates)
    .innerJoin(users, eq(users.id, healthUpdates.userId))
    .where(words ? memberMatches(words) : undefined)
    .groupBy(healthUpdates.userId, isNew, by === 'day' ? day : healthUpdates.id)
    .orderBy(desc(sql`is_new`), desc(sql`newest_at`), desc(sql`newest_id`))
    .$dynamic()
}

/** Marks an update, and `also` others, as sent; may be repeated. Returns the first; its read is recorded. */
export async function markHealthUpdateSent(
  tx: Tx,
  vault: Vault,
  admin: { id: string },
  { id, also }: { id: number; also?: number[] | null | undefined },
  now: Temporal.Instant,
) {
  const marked = await tx
    .update(healthUpdates)
    .set({ notifiedAt: now })
    .where(and(inArray(healthUpdates.id, [id, ...(also ?? [])]), isNull(healthUpdates.notifiedAt)))
    .returning({ id: healthUpdates.id })
  for (const update of marked) {
    const subject = { kind: 'health_update' as const, id: update.id }
    await recordAdminChange(tx, admin, { action: 'marked_sent', subject }, now)
  }
  const [row] = await updatesWithMember(tx).where(eq(healthUpdates.id, id))
  if (!row) refuse(healthRefusals.health_update_not_found)
  await recordHealthReads(tx, admin, { members: membersOf([row]), what: 'health_updates' }, now)
  return toHealthUpdate(row, vault)
}

function updatesWithMember(reader: Reader) {
  return reader
    .select({
      update: healthUpdates,
      user: { firstName: users.firstName, lastName: users.lastName, email: users.email },
      isFirst: sql<boolean>`not exists (
        select from ${healthUpdates} as earlier
        where earlier.user_id = ${healthUpdates.userId} and earlier.update_type = ${healthUpdates.updateType}
          and earlier.id < ${healthUpdates.id}
      )`,
    })
    .from(healthUpdates)
    .innerJoin(users, eq(users.id, healthUpdates.userId))
}
type UpdateWithMember = Awaited<ReturnType<typeof updatesWithMember>>[number]
const membersOf = (rows: readonly UpdateWithMember[]) => rows.map(({ update }) => update.userId)

function changesIn(
  vault: Vault,
  update: UpdateWithMember['update'],
): { changes: Changes; unreadable?: typeof UNREADABLE } {
  const changes = vault.openIfReadable(ofUpdate(update), sealedChanges, update.sealedChanges)
  return changes ? { changes } : { changes: {}, unreadable: UNREADABLE }
}

function toHealthUpdate({ update, user, isFirst }: UpdateWithMember, vault: Vault) {
  const opened = changesIn(vault, update)
  return {
    ...update,
    user,
    isFirst,
    ...opened,
    changes: JSON.stringify(opened.changes),
    notificationSent: update.notifiedAt !== null,
  }
}
