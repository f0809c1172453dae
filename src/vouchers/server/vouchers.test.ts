import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { accountRefusals } from '#accounts/contract.ts'
import { editStudio } from '#facts/contract.ts'
import { defined } from '#foundation/collections.ts'
import { studioDate } from '#foundation/instants.ts'
import { toPersonName } from '#foundation/person-names.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { editPackage, packageRefusals } from '#packages/contract.ts'
import { listPurchases, paymentRefusals, refundPurchase } from '#payments/contract.ts'
import { sellVoucher, voidSale } from '#payments/contract-desk.ts'
import { jpeg, upload } from '#pictures/server/pictures-under-test.ts'
import { createVault } from '#platform/vault/vault.ts'
import { deleteOwnAccount, exportOwnData } from '#privacy/contract.ts'
import { london } from '#testing/frozen-clock.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import {
  extendVoucher,
  getOutstandingVouchers,
  listVouchers,
  redeemVoucher,
  sendVoucher,
  voidVoucher,
  voucherRefusals,
} from '../contract.ts'
import { vouchers } from '../tables.ts'
import { askBuyerOfUndelivered, mailedCard } from './send-vouchers.ts'

const story = shareStudio({ now: 'Monday 09:00' })
const CODE = /[2-9A-HJKMNP-Z]{4}(?:-[2-9A-HJKMNP-Z]{4}){2}/

const redeem = (person: Person, code: string) => person.call(redeemVoucher, { body: { code } })

let buyers = 0

async function sell(gift: object = {}, { price = '424.00', classCount = 8 } = {}) {
  const { studio, dora } = story
  const buyer = await studio.member(`Bea${buyers++}`)
  const sold = await studio.createPackage({ name: 'Eight', price, classCount })
  const response = await dora.call(sellVoucher, {
    params: { id: buyer.id },
    body: { packageId: sold.id, method: 'cash', gift: { recipientName: 'Grace', ...gift } },
  })
  expect(response.status).toBe(201)
  return { buyer, sold, voucher: response.body }
}

async function codeIn(address: string, subject: RegExp): Promise<string> {
  const mail = (await story.studio.mailTo({ email: address })).find((one) => subject.test(one.subject))
  expect(mail?.attachments).toEqual([expect.objectContaining({ filename: 'voucher.pdf' })])
  return defined(CODE.exec(defined(mail).text)?.[0])
}
const printed = (buyer: Person) => codeIn(buyer.email, /^Your gift voucher for/)

describe('a voucher sold at the desk', () => {
  test('has a receipt, is revenue, and becomes a pass for the member who redeems it', async () => {
    const { studio, dora, ana } = story
    const before = await dora.read(getOutstandingVouchers, {})
    const { buyer, voucher, sold } = await sell()
    expect(voucher).toMatchObject({ state: 'valid', amount: '424.00', expiresAt: '2028-12-07T23:59:59Z', sentAt: null })
    expect(JSON.stringify(voucher)).not.toMatch(/code"/)
    const receipt = (await studio.mailTo(buyer)).find(({ subject }) => subject === 'Your receipt for Eight')
    expect(receipt?.text).toContain('Your gift voucher is ready.')
    expect(await studio.creditsOf(buyer)).toBe(0)
    const after = await dora.read(getOutstandingVouchers, {})
    expect([after.count - before.count, Number(after.amount) - Number(before.amount)]).toEqual([1, 424])

    const code = await printed(buyer)
    expect(code.endsWith(voucher.lastFour)).toBe(true)
    // Hidden, repriced and deleted since.
    await dora.request('PUT', `/api/packages/${sold.id}`, { price: '500.00', classCount: 1 })
    await dora.request('DELETE', `/api/packages/${sold.id}`)
    studio.clock.advance({ hours: 24 * 8 })
    const response = await redeem(ana, code.toLowerCase().replaceAll('-', ' '))
    expect(response).toMatchObject({
      status: 201,
      body: { userId: ana.id, creditsTotal: 8, creditsRemaining: 8, package: { name: 'Eight' } },
    })
    // Four months from the day it was redeemed, not bought.
    expect(response.body.expiresAt.slice(0, 10)).toBe('2027-04-15')
    expect(await redeem(ana, code)).toMatchObject({ status: 200, body: { id: response.body.id } })
    expect(await redeem(buyer, code)).toBeRefused(voucherRefusals.voucher_redeemed)
    expect((await ana.request('GET', '/api/user/credits')).body[0]).toMatchObject({ kind: 'voucher', credits: 8 })
    expect(await dora.read(listVouchers, { query: { search: voucher.lastFour } })).toMatchObject([
      { state: 'redeemed', redeemedBy: { id: ana.id }, buyer: { id: buyer.id } },
    ])
    expect((await dora.read(getOutstandingVouchers, {})).count).toBe(before.count)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('concurrent members redeem a code once', async () => {
    const { studio, boris, ana } = story
    const { buyer } = await sell()
    const code = await printed(buyer)
    const responses = await Promise.all([redeem(ana, code), redeem(boris, code)])
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400])
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('is emailed to the recipient at 09:00 on its day, and again to a corrected address', async () => {
    const { studio, dora } = story
    const day = studio.clock.now().add({ hours: 48 }).toZonedDateTimeISO('Europe/London').toPlainDate().toString()
    const { voucher } = await sell({ recipientEmail: 'grace@gifts.example', message: 'Happy birthday 🎉', sendOn: day })
    expect(voucher).toMatchObject({ sendAt: london(`${day} 09:00`).toString(), sentAt: null })
    await studio.server.workers['send-vouchers']({}, 'by hand')
    expect(await studio.mailTo({ email: 'grace@gifts.example' })).toEqual([])
    studio.clock.set(london(`${day} 09:00`))
    await studio.server.workers['send-vouchers']({}, 'by hand')
    const code = await codeIn('grace@gifts.example', /^Bea\d+ .*has given you Pilates/)
    await studio.server.workers['send-vouchers']({}, 'by hand')
    expect(await studio.mailTo({ email: 'grace@gifts.example' })).toHaveLength(1)

    const send = await dora.call(sendVoucher, {
      params: { id: voucher.id },
      body: { recipientEmail: 'g@gifts.example' },
    })
    expect(send).toMatchObject({ status: 200, body: { recipientEmail: 'g@gifts.example' } })
    expect(await codeIn('g@gifts.example', /has given you/)).not.toBe(code)
    const { rows } = await studio.server.database.pool.query(
      'select count(*)::int from pgboss.job where data::text like $1',
      [`%${code}%`],
    )
    expect(rows).toEqual([{ count: 0 }])
  })

  test('can be refunded in full within 14 days while nobody has redeemed it, which voids it', async () => {
    const { studio, dora, boris } = story
    const { buyer } = await sell()
    const code = await printed(buyer)
    const [purchase] = await dora.read(listPurchases, { query: { userId: buyer.id } })
    expect(purchase).toMatchObject({ isVoucher: true, mayVoid: true, refund: { amount: '424.00', fee: '0.00' } })
    const { id } = defined(purchase)
    expect((await dora.call(refundPurchase, { params: { id }, body: {} })).status).toBe(200)
    expect(await redeem(boris, code)).toBeRefused(voucherRefusals.voucher_void)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('stays valid after a refund of a part, and is refunded once, for at most what was paid', async () => {
    const { studio, dora, boris } = story
    const { buyer } = await sell()
    const code = await printed(buyer)
    const [purchase] = await dora.read(listPurchases, { query: { userId: buyer.id } })
    const refund = (body: object) => dora.call(refundPurchase, { params: { id: defined(purchase).id }, body })
    const part = { amount: '24.00', reason: 'A kindness' }
    expect(await refund({ ...part, credits: 1 })).toBeRefused(paymentRefusals.insufficient_credits)
    expect((await refund(part)).status).toBe(200)
    expect(await refund({ ...part, amount: '400.01' })).toBeRefused(paymentRefusals.refund_exceeds_payment)
    expect(await refund({})).toBeRefused(paymentRefusals.already_refunded)
    expect((await redeem(boris, code)).status).toBe(201)

    const late = await sell()
    const [second] = await dora.read(listPurchases, { query: { userId: late.buyer.id } })
    studio.clock.advance({ hours: 24 * 15 })
    await studio.logIn(dora)
    expect(await dora.call(refundPurchase, { params: { id: defined(second).id }, body: {} })).toBeRefused(
      paymentRefusals.refund_too_late,
    )
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('is never both refunded and usable after concurrent requests to redeem and refund it', async () => {
    const { studio, dora } = story
    for (let round = 0; round < 4; round++) {
      const rita = await studio.member(`Rita${round}`)
      const { buyer } = await sell()
      const code = await printed(buyer)
      const [purchase] = await dora.read(listPurchases, { query: { userId: buyer.id } })
      const [redeemed, refunded] = await Promise.all([
        redeem(rita, code),
        dora.call(refundPurchase, { params: { id: defined(purchase).id }, body: {} }),
      ])
      expect(refunded.status).toBe(200)
      if (redeemed.status !== 201) expect(redeemed).toBeRefused(voucherRefusals.voucher_void)
      expect(await studio.creditsOf(rita)).toBe(0)
    }
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('follows the refund rule once redeemed, and a sale recorded by mistake is voided with it', async () => {
    const { studio, dora } = story
    const carl = await studio.member('Carl')
    const { buyer } = await sell()
    expect((await redeem(carl, await printed(buyer))).status).toBe(201)
    const [purchase] = await dora.read(listPurchases, { query: { userId: buyer.id } })
    expect(purchase).toMatchObject({ creditsRemaining: 8, refund: { amount: '381.60' } })
    expect((await dora.call(refundPurchase, { params: { id: defined(purchase).id }, body: {} })).status).toBe(200)
    expect(await studio.creditsOf(carl)).toBe(0)

    const mistake = await sell()
    const [sale] = await dora.read(listPurchases, { query: { userId: mistake.buyer.id } })
    const code = await printed(mistake.buyer)
    const params = { id: mistake.buyer.id, purchaseId: defined(sale).id }
    expect((await dora.call(voidSale, { params })).status).toBe(200)
    expect(await redeem(carl, code)).toBeRefused(voucherRefusals.voucher_void)
    expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
  })

  test('ends the pass of the member who redeemed it, who is emailed, when its sale is voided', async () => {
    const { studio, dora } = story
    const cora = await studio.member('Cora')
    const { buyer } = await sell()
    expect((await redeem(cora, await printed(buyer))).status).toBe(201)
    const [sale] = await dora.read(listPurchases, { query: { userId: buyer.id } })
    const params = { id: buyer.id, purchaseId: defined(sale).id }
    expect((await dora.call(voidSale, { params })).status).toBe(200)
    expect(await studio.creditsOf(cora)).toBe(0)
    const ended = (await studio.mailTo(cora)).filter(({ subject }) => subject.endsWith('has ended'))
    expect(ended).toEqual([expect.objectContaining({ text: expect.stringContaining('which you were given') })])
  })

  test('stays valid when a blocked member tries it, when it is extended, and not when it is voided or has expired', async () => {
    const { studio, dora, ana, boris } = story
    const { buyer, voucher } = await sell()
    const params = { id: voucher.id }
    const code = await printed(buyer)
    const bad = await studio.member('Bad')
    await dora.request('PUT', `/api/admin/users/${bad.id}/block`, { reason: 'Does not pay' })
    expect(await redeem(bad, code)).toBeRefused(accountRefusals.account_blocked)
    expect(await redeem(boris, 'AAAA-AAAA-AAAA')).toBeRefused(voucherRefusals.voucher_not_found)
    expect(await dora.call(extendVoucher, { params, body: { validUntil: '2028-12-07' } })).toBeRefused(
      voucherRefusals.voucher_expiry_not_later,
    )
    const expires = (days: number) =>
      studio.server.database.pool.query('update vouchers set sold_at = $1, expires_at = $2 where id = $3', [
        studio.clock
          .now()
          .subtract({ hours: 24 * 100 })
          .toString(),
        studio.clock
          .now()
          .add({ hours: 24 * days })
          .toString(),
        voucher.id,
      ])
    const remindersAfter = async (days: number) => {
      await expires(days)
      await studio.server.workers['warn-of-expiry']({}, 'by hand')
      return (await studio.mailTo(buyer)).filter(({ subject }) =>
        subject.startsWith('The gift voucher for Grace expires'),
      )
    }
    expect(await remindersAfter(61)).toHaveLength(0)
    expect(await remindersAfter(60)).toHaveLength(1)
    expect(await remindersAfter(59)).toHaveLength(1)
    await expires(-31)
    expect(await redeem(boris, code)).toBeRefused(voucherRefusals.voucher_expired)
    await studio.server.workers['tidy-up']({}, 'by hand')
    expect((await dora.read(listVouchers, { query: { search: voucher.lastFour } }))[0]).toMatchObject({
      state: 'expired',
      recipientName: '',
    })
    expect((await dora.call(extendVoucher, { params, body: { validUntil: '2029-06-01' } })).body).toMatchObject({
      state: 'valid',
      expiresAt: '2029-06-01T22:59:59Z',
    })
    expect((await dora.call(voidVoucher, { params })).status).toBe(200)
    expect(await redeem(boris, code)).toBeRefused(voucherRefusals.voucher_void)
    expect(await dora.call(voidVoucher, { params })).toBeRefused(voucherRefusals.voucher_void)
    expect(await ana.call(voidVoucher, { params })).toBeRefused(commonRefusals.forbidden)
    const audit = (await dora.request('GET', `/api/admin/audit?subject=voucher:${voucher.id}`)).body
    expect(audit.map(({ action }: { action: string }) => action)).toEqual(['voucher_voided', 'voucher_extended'])
  })

  test('refuses once-only packages, past days, wrong addresses and messages that are too long', async () => {
    const { studio, dora } = story
    const buyer = await studio.member('Bo')
    const once = await studio.createPackage({ name: 'Intro', purchaseOncePerUser: true })
    const sold = await studio.createPackage({ name: 'Plain' })
    const good = { packageId: sold.id, method: 'cash', gift: { recipientName: 'Grace' } }
    const wish = (body: object) => dora.request('POST', `/api/admin/users/${buyer.id}/vouchers`, { ...good, ...body })
    expect(await wish({ packageId: once.id })).toBeRefused(voucherRefusals.voucher_once_only)
    expect(await wish({ packageId: 2_000_000_000 })).toBeRefused(packageRefusals.package_not_found)
    const past = { recipientName: 'Grace', recipientEmail: 'g@gifts.example', sendOn: '2020-01-01' }
    expect(await wish({ gift: past })).toBeRefused(voucherRefusals.voucher_day_impossible)
    for (const wrong of [
      {},
      { recipientName: ' ' },
      { recipientName: 'Grace', recipientEmail: 'grace' },
      { recipientName: 'Grace', message: 'x'.repeat(2001) },
      { recipientName: 'Grace', sendOn: 'tomorrow' },
    ])
      expect([wrong, (await wish({ gift: wrong })).status]).toEqual([wrong, 400])
    const emoji = await wish({ gift: { recipientName: 'Grace', message: '🎉'.repeat(1000) } })
    expect(emoji.status).toBe(201)
    const card = await dora.request('GET', `/api/admin/vouchers/${emoji.body.id}/card.pdf`)
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const pagesOf = async (message: string) => {
      const { id } = (await wish({ gift: { recipientName: 'Grace', message } })).body
      const { body } = await dora.request('GET', `/api/admin/vouchers/${id}/card.pdf`)
      return /\/Type \/Pages\s+\/Count (\d)/.exec(body)?.[1]
    }
    expect([await pagesOf('🎉 Love, Bea'), await pagesOf('🎉 With love '.repeat(150))]).toEqual(['1', '2'])
  })
})

test('sent to a corrected address, a voucher has a new code; the former address gets neither code', async () => {
  const { studio, boris, dora } = story
  const { buyer, voucher } = await sell({ recipientName: 'Grace', recipientEmail: 'grase@gifts.example' })
  const codeTo = async (email: string) =>
    CODE.exec((await studio.mailTo({ email })).find(({ text }) => CODE.test(text))?.text ?? '')?.[0] ?? ''
  const first = await codeTo('grase@gifts.example')
  const send = (recipientEmail: string) =>
    buyer.request('POST', `/api/user/vouchers/${voucher.id}/send`, { recipientEmail })
  await send('Grase@gifts.example')
  expect((await dora.read(listVouchers, { query: { search: 'grase@' } }))[0]?.lastFour).toBe(first.slice(-4))
  await send('graze@gifts.example')
  const second = await codeTo('graze@gifts.example')
  expect(second).not.toBe(first)
  expect(await redeem(boris, first)).toBeRefused(voucherRefusals.voucher_not_found)
  expect((await redeem(boris, second)).status).toBe(201)
})

test('a buyer is asked how to send a gift whose recipient has erased their account before its day', async () => {
  const { studio } = story
  const recipient = await studio.member('Otto')
  const gift = { recipientName: 'Otto', recipientEmail: recipient.email }
  const { buyer } = await sell({ ...gift, sendOn: studioDate(studio.clock.now()).add({ days: 7 }).toString() })
  const { voucher: sent } = await sell(gift)
  await recipient.call(deleteOwnAccount)
  const asked = (await studio.mailTo(buyer)).filter(
    ({ subject }) => subject === 'Your gift voucher could not be emailed',
  )
  expect(asked).toMatchObject([{ text: expect.stringContaining('we no longer have the address') }])
  expect(asked[0]?.text).not.toContain('Otto')
  // One that was emailed is lost with the mailbox, as a letter would be.
  const again = await studio.db.select().from(vouchers).where(eq(vouchers.id, sent.id))
  expect(again).toMatchObject([{ recipientEmail: null, voidedAt: null }])
})

test('a buyer is asked how to send a gift that the mail server refuses', async () => {
  const { studio } = story
  const { buyer, voucher } = await sell({ recipientEmail: 'wrong@gifts.example' })
  const data = {
    to: { email: 'wrong@gifts.example', firstName: toPersonName('Grace') },
    from: null,
    packageName: 'Eight',
  }
  const job = { mail: 'voucher' as const, data: { ...data, voucherId: voucher.id, expiresAt: voucher.expiresAt } }
  await studio.server.database.transaction((tx) => askBuyerOfUndelivered(tx, job))
  const texts = (await studio.mailTo(buyer)).map(({ text }) => text)
  expect(texts).toContainEqual(expect.stringContaining('refuses the address that you gave'))
})

test('a voucher keeps the name of its package as it was sold', async () => {
  const { studio, dora } = story
  const { buyer, sold, voucher } = await sell({ recipientEmail: 'renamed@gifts.example' })
  await dora.call(editPackage, { params: { id: sold.id }, body: { name: 'Something Else' } })
  const found = await dora.read(listVouchers, { query: { search: 'renamed@gifts.example' } })
  expect(found).toMatchObject([{ id: voucher.id, package: { id: sold.id, name: 'Eight' } }])
  expect((await buyer.read(exportOwnData)).vouchers).toMatchObject([{ package: 'Eight' }])
  const [mail] = await studio.mailTo({ email: 'renamed@gifts.example' })
  expect(mail?.text).toContain('Eight')
})

test('a message reaches the recipient without the links in it', async () => {
  await sell({ recipientEmail: 'links@gifts.example', message: 'Win at https://pay.evil.example/now\nLove, Ana' })
  const [mail] = await story.studio.mailTo({ email: 'links@gifts.example' })
  expect(mail?.text).toContain('Win at (address left out)')
  expect(mail?.text).not.toContain('evil.example')
})

test('an email to the former address that waits is not sent with the new code', async () => {
  const { studio } = story
  const { voucher } = await sell({ recipientName: 'Grace', recipientEmail: 'gray@gifts.example' })
  const [row] = await studio.db.select().from(vouchers).where(eq(vouchers.id, voucher.id))
  const vault = createVault(studio.settings.healthDataKeys)
  const to = { email: 'gray@gifts.example', firstName: toPersonName('Grace') }
  const job = {
    mail: 'voucher' as const,
    data: { to, from: null, voucherId: voucher.id, packageName: '', expiresAt: '' },
  }
  const card = () => mailedCard(studio.db, vault, job, studio.clock.now())
  expect((await card())?.code.slice(-4)).toBe(row?.lastFour)
  await studio.db.update(vouchers).set({ recipientEmail: 'grace@gifts.example' }).where(eq(vouchers.id, voucher.id))
  expect(await card()).toBeNull()
})

test('the card shows the owner’s own picture', async () => {
  const { studio, dora } = story
  const { voucher } = await sell()
  const hasOwn = async () =>
    (await dora.request('GET', `/api/admin/vouchers/${voucher.id}/card.pdf`)).body.includes('/Width 760')
  expect(await hasOwn()).toBe(false)
  const { id } = (await upload(dora, 'hero', await jpeg())).body
  await dora.call(editStudio, { body: { pictures: { hero: { id, alt: 'A light room' } } } })
  expect(await hasOwn()).toBe(true)
  await studio.server.database.pool.query('delete from picture_files')
  expect(await hasOwn()).toBe(false)
  await dora.call(editStudio, { body: { pictures: {} } })
})

test('erasing the buyer leaves the voucher valid; both members find it in their download', async () => {
  const { studio, dora } = story
  const { buyer, voucher } = await sell()
  const code = await printed(buyer)
  expect((await buyer.read(exportOwnData)).vouchers).toMatchObject([{ isBuyer: true, recipientName: 'Grace' }])
  expect((await dora.request('DELETE', `/api/admin/users/${buyer.id}`)).status).toBe(200)
  const gina = await studio.member('Gina')
  expect((await redeem(gina, code)).status).toBe(201)
  expect((await gina.read(exportOwnData)).vouchers).toMatchObject([{ isBuyer: false, state: 'redeemed' }])
  expect((await dora.request('DELETE', `/api/admin/users/${gina.id}`)).status).toBe(200)
  expect(await dora.read(listVouchers, { query: { search: voucher.lastFour } })).toMatchObject([
    { state: 'redeemed', buyer: null, redeemedBy: null, recipientName: '' },
  ])
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
})

test('the database refuses a second voucher of a purchase, and a voucher that is both redeemed and void', async () => {
  const { voucher } = await sell()
  const { pool } = story.studio.server.database
  const update = (set: string) => pool.query(`update vouchers set ${set} where id = $1`, [voucher.id])
  await expect(update('redeemed_at = now(), voided_at = now()')).rejects.toThrow('a_redeemed_voucher_is_not_void')
  await expect(update('sold_at = null, sent_at = now()')).rejects.toThrow('an_unpaid_voucher_is_worth_nothing')
  await expect(update('pass_id = 1')).rejects.toThrow('only_a_redeemed_voucher_has_a_member')
  await expect(
    pool.query(
      `insert into vouchers (purchase_id, package_id, package_name, class_count, validity_months, amount_pence, code_hmac, sealed_code,
         last_four, recipient_name, expires_at)
       select purchase_id, package_id, 'Eight', 1, 1, 1, 'other', 'x', 'ABCD', 'Grace', expires_at from vouchers where id = $1`,
      [voucher.id],
    ),
  ).rejects.toThrow('a_purchase_has_one_voucher')
})
