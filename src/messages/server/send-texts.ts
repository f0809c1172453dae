import { and, asc, eq, gte, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { z } from 'zod'
import { currentFacts } from '#facts/server/facts.ts'
import { type Clock, studioMonth } from '#foundation/instants.ts'
import { commonRefusals, refuse } from '#foundation/refusal.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { timedRoute } from '#platform/http/time-limit.ts'
import { TEXT_RECEIPTS } from '../contract-texts.ts'
import type { Alert } from '../rules-alerts.ts'
import { type TextRow, texts } from '../tables.ts'
import { isSigned, TextError, type Texter } from './twilio.ts'

/** Longer than the provider's time limit: after this, the job that claimed a text is gone. */
const LOST_AFTER = { minutes: 5 }
const BUSY_PAUSE = { minutes: 1 }
/** Twilio prices a text soon after it arrived. */
const PRICED_WITHIN = { hours: 48 }
const PRICES_AT_ONCE = 20

/** A member's number in international form if it is a British mobile; texts elsewhere cost many times as much. */
export function mobileOf(phone: string | null): string | undefined {
  const number = phone ? parsePhoneNumberFromString(phone, 'GB') : undefined
  // 070 are personal numbers, 076 pagers.
  return number?.isPossible() && /^\+447(?![06])/.test(number.number) ? number.number : undefined
}

type Member = { phone: string | null; textsOff: boolean }

/**
 * Sends the texts that are due, each at most once: it is claimed in its own transaction, and not repeated if the
 * response was lost. Without a provider they are deleted. Several processes may run it at the same time.
 */
export async function sendTexts(
  database: Database,
  texter: Texter | undefined,
  site: {
    clock: Clock
    /** The address for receipts, without a query. */
    receiptUrl: string
    memberOf: (reader: Reader, userId: string) => Promise<Member | undefined>
    /** Whether what a text says has changed since it was queued. */
    isOutdated: (reader: Reader, alert: Alert) => Promise<boolean>
    onError: (error: Error) => void
  },
): Promise<void> {
  const { clock, onError } = site
  const { db, transaction } = database
  if (!texter) return void (await db.delete(texts).where(eq(texts.state, 'queued')))
  const lost = and(eq(texts.state, 'sending'), lte(texts.claimedAt, clock.now().subtract(LOST_AFTER)))
  await db.update(texts).set({ state: 'unknown', error: 'the provider did not respond' }).where(lost)
  for (;;) {
    const claimed = await transaction((tx) => claimNext(tx, site, clock.now()))
    if (claimed === 'none') break
    if (claimed === 'left_out') continue
    const { id, body } = claimed
    try {
      const providerId = await texter.send({ to: claimed.phone, body, receiptUrl: `${site.receiptUrl}?id=${id}` })
      // A receipt may have arrived first.
      await db.update(texts).set({ providerId }).where(eq(texts.id, id))
      await settle(db, id, ['sending'], { state: 'sent' })
    } catch (error) {
      if (!(error instanceof TextError)) throw error
      if (error.kind === 'busy') {
        await settle(db, id, ['sending'], { state: 'queued', sendAfter: clock.now().add(BUSY_PAUSE), claimedAt: null })
        break
      }
      await settle(db, id, ['sending'], { state: error.kind === 'lost' ? 'unknown' : 'failed', error: error.message })
      onError(error)
    }
  }
  await readPrices(db, texter, clock.now()).catch(onError)
}

type Claimed = TextRow & { phone: string }

/** Takes the next text that is due. The lock keeps the month's limit exact when several processes run. */
async function claimNext(
  tx: Tx,
  { memberOf, isOutdated }: Pick<Parameters<typeof sendTexts>[2], 'memberOf' | 'isOutdated'>,
  now: Temporal.Instant,
): Promise<Claimed | 'none' | 'left_out'> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('texts'))`)
  const [next] = await tx
    .select()
    .from(texts)
    .where(and(eq(texts.state, 'queued'), lte(texts.sendAfter, now)))
    .orderBy(asc(texts.sendAfter), asc(texts.id))
    .limit(1)
    .for('update')
  if (!next) return 'none'
  const set = (values: Partial<TextRow>) => tx.update(texts).set(values).where(eq(texts.id, next.id))
  const member = next.userId === null ? undefined : await memberOf(tx, next.userId)
  const phone = member && !member.textsOff ? mobileOf(member.phone) : undefined
  const isUseless = Temporal.Instant.compare(now, next.uselessAfter) >= 0
  if (!phone || isUseless || (await isOutdated(tx, next.alert))) {
    await set({ state: 'left_out' })
    return 'left_out'
  }
  const { from } = studioMonth(now)
  const used = await tx.$count(texts, and(isNotNull(texts.claimedAt), gte(texts.claimedAt, from)))
  if (used >= (await currentFacts(tx)).texts.monthlyLimit) {
    await set({ state: 'over_limit' })
    return 'left_out'
  }
  await set({ state: 'sending', phone, claimedAt: now })
  return { ...next, phone }
}

/** Changes a text that is still in one of these states. */
async function settle(db: Pick<Tx, 'update'>, id: number, from: TextRow['state'][], values: Partial<TextRow>) {
  await db
    .update(texts)
    .set(values)
    .where(and(eq(texts.id, id), inArray(texts.state, from)))
}

async function readPrices(db: Database['db'], texter: Texter, now: Temporal.Instant): Promise<void> {
  const unpriced = await db
    .select({ id: texts.id, providerId: texts.providerId })
    .from(texts)
    .where(
      and(
        inArray(texts.state, ['delivered', 'failed']),
        isNull(texts.cost),
        isNotNull(texts.providerId),
        gte(texts.claimedAt, now.subtract(PRICED_WITHIN)),
      ),
    )
    .orderBy(asc(texts.id))
    .limit(PRICES_AT_ONCE)
  for (const { id, providerId } of unpriced) {
    const price = await texter.priceOf(providerId ?? '')
    if (price) await db.update(texts).set(price).where(eq(texts.id, id))
  }
}

const MAX_BODY_BYTES = 10 * 1024
const Receipt = z.object({ MessageSid: z.string(), MessageStatus: z.string(), ErrorCode: z.string().optional() })
const FINAL_STATES: Partial<Record<string, 'delivered' | 'failed'>> = {
  delivered: 'delivered',
  failed: 'failed',
  undelivered: 'failed',
  canceled: 'failed',
}

/** Receives a delivery receipt, signed by the provider. Receipts arrive in any order and may be repeated. */
export async function textReceiptRoute(
  app: FastifyInstance,
  options: { database: Database; authToken: string; receiptUrl: string },
): Promise<void> {
  const { database, authToken, receiptUrl } = options
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    timedRoute(scope, 'POST', TEXT_RECEIPTS, { schema: { hide: true } }, async (request, reply) => {
      const params = z.record(z.string(), z.string()).safeParse(request.body).data ?? {}
      const { id } = z.object({ id: z.coerce.number().int().positive() }).safeParse(request.query).data ?? {}
      const isGenuine = isSigned(authToken, `${receiptUrl}?id=${id}`, params, request.headers['x-twilio-signature'])
      if (!id || !isGenuine) refuse(commonRefusals.forbidden)
      const receipt = Receipt.safeParse(params).data
      if (receipt) await keepReceipt(database.db, id, receipt)
      return reply.code(204).send()
    })
  })
}

async function keepReceipt(db: Database['db'], id: number, receipt: z.output<typeof Receipt>): Promise<void> {
  const { MessageSid: providerId, MessageStatus: status, ErrorCode: code } = receipt
  const isKnown = and(eq(texts.id, id), sql`coalesce(${texts.providerId}, ${providerId}) = ${providerId}`)
  const state = FINAL_STATES[status] ?? 'sent'
  // A final state stays. A receipt also settles a text whose answer was lost.
  const open: TextRow['state'][] = state === 'sent' ? ['sending', 'unknown'] : ['sending', 'sent', 'unknown']
  const error = state === 'failed' ? `the network did not deliver it${code ? ` (${code})` : ''}` : null
  await db
    .update(texts)
    .set({ state, providerId, error })
    .where(and(isKnown, inArray(texts.state, open)))
}
