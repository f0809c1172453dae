import { lt, sql } from 'drizzle-orm'
import { factsNow } from '#facts/server/facts.ts'
import { studioDate } from '#foundation/instants.ts'
import { queueMail } from '#messages/server/messages.ts'
import type { Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { attentionMail } from '../tables.ts'
import { attentionNow, type World } from './attention.ts'

/** Mails the owner what needs attention, while something does: once on a day of the studio's, however often it is asked. */
export async function mailAttention(tx: Tx, world: World): Promise<void> {
  const items = await attentionNow(tx, world)
  if (items.length === 0) return
  const mailedOn = studioDate(world.now).toString()
  const first = await tx
    .insert(attentionMail)
    .values({ mailedOn })
    .onConflictDoUpdate({
      target: attentionMail.isOnly,
      set: { mailedOn },
      setWhere: lt(attentionMail.mailedOn, sql`excluded.mailed_on`),
    })
    .returning()
  if (first.length === 0) return
  const to = { email: (await factsNow(tx)).ownerEmail, firstName: studio.instructor.name }
  await queueMail(tx, 'attention', { to, items: items.map(({ title, text }) => ({ title, text })) })
}
