import type { Readable } from 'node:stream'
import { eq } from 'drizzle-orm'
import type { Throttles } from '#accounts/server/accounts.ts'
import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { passOf } from '#passes/server/passes.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, sendPage, serve, serveFile } from '#platform/http/serve.ts'
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
    database: Database
    clock: Clock
    vault: Vault
    throttle: Pick<Throttles, 'countVoucherTry'>
    /** Draws a card as PDF. */
    draw: (card: Card) => Promise<Readable>
  },
): void {
  const { database, clock, vault, throttle, draw } = options
  const { db } = database

  serve(http, contract.redeemVoucher, async ({ user, body, request, reply }) => {
    await throttle.countVoucherTry(user.id, request.ip)
    return await database.transaction(async (tx) => {
      const redeemed = await redeemVoucher(tx, vault, { userId: user.id, code: body.code }, clock.now())
      if (!redeemed.isNew) reply.code(200)
      return await passOf(tx, user.id, redeemed.passId)
    })
  })

  serve(http, contract.listVouchers, async ({ query, reply }) => {
    const now = clock.now()
    return await sendPage(reply, query, () => countVouchers(db, query, now), allVouchers(db, query, now))
  })
  serve(http, contract.getOutstandingVouchers, async () => outstandingVouchers(db, clock.now()))

  const one = async (id: number) => {
    const [found] = await allVouchers(db, { id }, clock.now())
    return found ?? refuse(voucher_not_found)
  }
  serve(http, contract.sendVoucher, async ({ user, params, body }) => {
    await database.transaction((tx) => sendVoucher(tx, vault, { admin: user }, { ...params, ...body }, clock.now()))
    return await one(params.id)
  })
  serve(http, contract.extendVoucher, async ({ user, params, body }) => {
    await database.transaction((tx) => extendVoucher(tx, user, { ...params, ...body }, clock.now()))
    return await one(params.id)
  })
  serve(http, contract.voidVoucher, async ({ user, params }) => {
    await database.transaction((tx) => voidVoucher(tx, user, params.id, clock.now()))
    return { message: 'Voucher voided' }
  })
  // A buyer can email it as often as a member can try codes.
  serve(http, contract.sendOwnVoucher, async ({ user, params, body, request }) => {
    await throttle.countVoucherTry(user.id, request.ip)
    await database.transaction((tx) =>
      sendVoucher(tx, vault, { buyerId: user.id }, { ...params, ...body }, clock.now()),
    )
    return await one(params.id)
  })

  const card = async (which: { id: number; buyerId?: string }) => {
    const [voucher] = await db.select().from(vouchers).where(eq(vouchers.id, which.id))
    if (!voucher?.soldAt || (which.buyerId && voucher.buyerId !== which.buyerId)) refuse(voucher_not_found)
    const state = stateOf(voucher, clock.now())
    if (state === 'redeemed' || state === 'void') refuse(REFUSALS[state])
    const printed = (await cardOf(db, vault, voucher)) ?? refuse(voucher_not_found)
    return { name: `voucher-${voucher.lastFour}.pdf`, content: await draw(printed) }
  }
  serveFile(http, contract.voucherCard, ({ params }) => card(params))
  serveFile(http, contract.ownVoucherCard, ({ user, params }) => card({ ...params, buyerId: user.id }))
}
