import type { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Throttles } from '#accounts/server/accounts.ts'
import { refuse } from '#foundation/refusal.ts'
import { passOf } from '#passes/server/passes.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, sendPage, serve, serveFile } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import type { Vault } from '#platform/vault/vault.ts'
import * as contract from '../contract.ts'
import { stateOf } from '../rules.ts'
import { vouchers } from '../tables.ts'
import { extendVoucher, sendVoucher, voidVoucher } from './manage-vouchers.ts'
import { allVouchers, countVouchers, outstandingVouchers } from './queries.ts'
import { REFUSALS, redeemVoucher } from './redeem-voucher.ts'
import { type Card, cardOf } from './send-vouchers.ts'

const { voucher_not_found } = contract.voucherRefusals

export function voucherRoutes(
  http: Http,
  options: {
    vault: Vault
    throttle: Pick<Throttles, 'countVoucherTry'>
    /** Draws a card as PDF. */
    draw: (card: Card) => Promise<Readable>
  },
): void {
  const { vault, throttle, draw } = options

  // A buyer can email a voucher as often as a member can try codes.
  const before = ({ user, request }: { user: { id: string }; request: FastifyRequest }) =>
    throttle.countVoucherTry(user.id, request.ip)
  write(
    http,
    contract.redeemVoucher,
    async ({ tx, now, user, body, reply }) => {
      const redeemed = await redeemVoucher(tx, vault, { userId: user.id, code: body.code }, now)
      if (!redeemed.isNew) reply.code(200)
      return await passOf(tx, user.id, redeemed.passId)
    },
    { before },
  )

  serve(http, contract.listVouchers, async ({ db, now, query, reply }) => {
    return await sendPage(reply, query, () => countVouchers(db, query, now), allVouchers(db, query, now))
  })
  serve(http, contract.getOutstandingVouchers, async ({ db, now }) => outstandingVouchers(db, now))

  const one = async (tx: Tx, id: number, now: Temporal.Instant) => {
    const [found] = await allVouchers(tx, { id }, now)
    return found ?? refuse(voucher_not_found)
  }
  write(http, contract.sendVoucher, async ({ tx, now, user, params, body }) => {
    await sendVoucher(tx, vault, { admin: user }, { ...params, ...body }, now)
    return await one(tx, params.id, now)
  })
  write(http, contract.extendVoucher, async ({ tx, now, user, params, body }) => {
    await extendVoucher(tx, user, { ...params, ...body }, now)
    return await one(tx, params.id, now)
  })
  write(http, contract.voidVoucher, ({ tx, now, user, params }) => voidVoucher(tx, user, params.id, now))
  write(
    http,
    contract.sendOwnVoucher,
    async ({ tx, now, user, params, body }) => {
      await sendVoucher(tx, vault, { buyerId: user.id }, { ...params, ...body }, now)
      return await one(tx, params.id, now)
    },
    { before },
  )

  const card = async (db: Reader, now: Temporal.Instant, which: { id: number; buyerId?: string }) => {
    const [voucher] = await db.select().from(vouchers).where(eq(vouchers.id, which.id))
    if (!voucher?.soldAt || (which.buyerId && voucher.buyerId !== which.buyerId)) refuse(voucher_not_found)
    const state = stateOf(voucher, now)
    if (state === 'redeemed' || state === 'void') refuse(REFUSALS[state])
    const printed = (await cardOf(db, vault, voucher)) ?? refuse(voucher_not_found)
    return { name: `voucher-${voucher.lastFour}.pdf`, content: await draw(printed) }
  }
  serveFile(http, contract.voucherCard, ({ db, now, params }) => card(db, now, params))
  serveFile(http, contract.ownVoucherCard, ({ db, now, user, params }) =>
    card(db, now, { ...params, buyerId: user.id }),
  )
}
