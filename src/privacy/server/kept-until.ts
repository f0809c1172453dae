import { count, eq, max, min } from 'drizzle-orm'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import { purchases } from '#payments/tables.ts'
import type { Reader } from '#platform/database/database.ts'
import type { KeptUntil } from '../contract-own.ts'
import { overOn } from '../rules.ts'
import { retentionOf } from './who-is-due.ts'

/** Until when the studio keeps what it knows of a member. What counts, and from when on, is what the job reads itself. */
export async function keptUntil(reader: Reader, userId: string, now: Temporal.Instant): Promise<KeptUntil> {
  const { contact, invitation, health, hasTakenClass, reasons } =
    (await retentionOf(reader, userId, now)) ?? refuse(commonRefusals.unauthorized)
  const [bought] = await reader
    .select({ count: count(), first: min(purchases.purchasedAt), last: max(purchases.purchasedAt) })
    .from(purchases)
    .where(eq(purchases.userId, userId))
  const byContact = contact && overOn('contact', contact)
  const byInvitation = invitation && overOn('invitation', invitation)
  const isInvitationFirst = byInvitation && (!byContact || byInvitation < byContact)
  return {
    account: reasons.includes('admin') ? null : isInvitationFirst ? byInvitation : byContact,
    accountSince: isInvitationFirst ? 'invitation' : hasTakenClass ? 'last_class' : 'sign_up',
    health: health && overOn('health', health),
    keptBy: reasons,
    purchases:
      bought?.first && bought.last
        ? { count: bought.count, first: overOn('financial', bought.first), last: overOn('financial', bought.last) }
        : null,
  }
}
