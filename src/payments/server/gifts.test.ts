import { describe, expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { defined } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { editPackage } from '#packages/contract.ts'
import { exportOwnData } from '#privacy/contract.ts'
import { initialFacts } from '#studio.ts'
import { london } from '#testing/frozen-clock.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { getOutstandingVouchers, redeemVoucher, sendOwnVoucher, voucherRefusals } from '#vouchers/contract.ts'
import { codeRefusals } from '../code-refusals.ts'
import { confirmOrder, decideRefund, listPurchases, paymentRefusals, refundPurchase } from '../contract.ts'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()
const CODE = /[2-9A-HJKMNP-Z]{4}(?:-[2-9A-HJKMNP-Z]{4}){2}/
const GRACE = { recipientName: 'Grace' }

type Bought = { id: number; pricePence: number }
const start = (buyer: Person, bought: Bought, gift: object = GRACE, more: object = {}) => {
  const amount = (bought.pricePence / 100).toFixed(2)
  return buyer.request('POST', '/api/create-payment-intent', { packageId: bought.id, amount, gift, ...more })
}
/** A gift of three classes for £45.50, paid by card. */
async function bought(name: string, gift: object = GRACE) {
  const { studio, bank } = story
  const buyer = await studio.member(name)
  const sold = await studio.createPackage({ name: `Gift of ${name}`, price: '45.50', classCount: 3 })
  const started = await start(buyer, sold, gift)
  await bank.pay(started)
  const response = await activatePass(buyer, sold, started)
  expect(response.status).toBe(201)
  const intentId: string = started.body.paymentIntentId
  return { buyer, sold, started, intentId, voucher: response.body }
}
const mailsTo = async (email: string, subject: RegExp) =>
  (await story.studio.mailTo({ email })).filter((mail) => subject.test(mail.subject))
const noticesAbout = async (name: string) =>
  (await story.studio.mailTo({ email: initialFacts.ownerEmail })).filter(({ text }) => text.includes(`Gift of ${name}`))
const printedCode = async (buyer: Person) =>
  defined(CODE.exec((await mailsTo(buyer.email, /^Your gift voucher for/))[0]?.text ?? '')?.[0])
const redeem = (person: Person, code: string) => person.call(redeemVoucher, { body: { code } })
const purchaseOf = async ({ id }: Person) =>
  defined((await story.dora.read(listPurchases, { query: { userId: id } }))[0])
const intact = async () => expect(await brokenInvariants(story.studio.server.database.pool)).toEqual([])

test('a paid gift becomes a voucher and no pass, once, with a receipt and the card to print', async () => {
  const { studio, bank, boris, dora } = story
  const outstanding = await dora.read(getOutstandingVouchers, {})
  const { buyer, sold, started, intentId, voucher } = await bought('Bea')
  expect(await bank.stripe.paymentIntents.retrieve(intentId)).toMatchObject({
    amount: 4550,
    description: 'Gift voucher: Gift of Bea',
    metadata: { userId: buyer.id, packageId: String(sold.id), gift: 'voucher' },
  })
  expect(voucher).toMatchObject({
    package: { name: 'Gift of Bea' },
    state: 'valid',
    recipientName: 'Grace',
    sentAt: null,
  })
  const code = await printedCode(buyer)
  expect(JSON.stringify(voucher)).not.toContain(code.slice(0, 4))
  expect(await activatePass(buyer, sold, started)).toMatchObject({ status: 200, body: voucher })
  await bank.deliverEvents(studio, intentId)
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await studio.creditsOf(buyer)).toBe(0)
  const receipts = await mailsTo(buyer.email, /receipt/)
  expect(receipts).toHaveLength(1)
  expect(receipts[0]?.text).toContain('You have the right to cancel this contract within 14 days')
  expect(receipts[0]?.text).not.toContain('begin within the cancellation period')
  expect(await mailsTo(buyer.email, /^Your gift voucher for/)).toHaveLength(1)

  const [own] = (await buyer.request('GET', '/api/user/purchases')).body
  const lines = [{ label: 'Gift voucher: Gift of Bea', amount: '45.50' }]
  expect(own).toMatchObject({ lines, voucher: { id: voucher.id, state: 'valid' } })
  expect(await purchaseOf(buyer)).toMatchObject({ isVoucher: true, lines, refund: { amount: '45.50', fee: '0.00' } })
  expect((await dora.read(getOutstandingVouchers, {})).count).toBe(outstanding.count + 1)
  expect((await buyer.read(exportOwnData)).vouchers).toMatchObject([{ isBuyer: true, state: 'valid' }])
  expect((await buyer.request('GET', '/api/user/begin-requests')).body).toEqual([])

  // Erasing the buyer leaves it valid.
  expect((await dora.request('DELETE', `/api/admin/users/${buyer.id}`)).status).toBe(200)
  expect((await redeem(boris, code)).body).toMatchObject({ userId: boris.id, creditsRemaining: 3 })
  await intact()
})

test('concurrent events of one payment create one voucher', async () => {
  const { studio, bank } = story
  const buyer = await studio.member('Rae')
  const sold = await studio.createPackage({ price: '45.50' })
  const started = await start(buyer, sold)
  await bank.pay(started)
  const { paymentIntentId } = started.body
  await Promise.all([
    activatePass(buyer, sold, started),
    bank.deliverEvent(studio, 'payment_intent.succeeded', paymentIntentId),
    activatePass(buyer, sold, started),
  ])
  expect(await studio.count('select count(*) from vouchers where buyer_id = $1', [buyer.id])).toBe(1)
  expect(await mailsTo(buyer.email, /^Your gift voucher for/)).toHaveLength(1)
  await intact()
})

test('a gift that was paid in another tab is activated, and no second one started unasked', async () => {
  const { studio, bank } = story
  const buyer = await studio.member('Tia')
  const sold = await studio.createPackage({ price: '45.50' })
  const started = await start(buyer, sold)
  await bank.pay(started)
  expect(await start(buyer, sold)).toBeRefused(paymentRefusals.voucher_already_paid)
  const press = { params: { id: started.body.paymentIntentId }, body: { tab: 'left open', isBeginRequested: false } }
  expect(await buyer.call(confirmOrder, press)).toBeRefused(paymentRefusals.voucher_already_paid)
  expect(await mailsTo(buyer.email, /^Your gift voucher for/)).toHaveLength(1)
})

test('gifts for two people are two payments, each with what was typed when it was confirmed', async () => {
  const { studio, bank } = story
  const buyer = await studio.member('Cleo')
  const sold = await studio.createPackage({ price: '45.50' })
  const day = studio.clock.now().add({ hours: 72 }).toZonedDateTimeISO('Europe/London').toPlainDate().toString()
  const gina = { recipientName: 'Gina', recipientEmail: 'gina@gifts.example' }
  const first = await start(buyer, sold)
  const second = await start(buyer, sold, gina)
  expect(second.body.paymentIntentId).not.toBe(first.body.paymentIntentId)
  const again = { ...gina, recipientEmail: 'Gina@Gifts.example', message: 'Another tab', sendOn: day }
  expect((await start(buyer, sold, again)).body).toEqual(second.body)
  const plain = await startPayment(buyer, sold)
  expect([first, second].map(({ body }) => body.paymentIntentId)).not.toContain(plain.body.paymentIntentId)
  // Nobody has the code of an unpaid voucher, and no list shows it.
  expect((await story.dora.request('GET', '/api/admin/vouchers?search=Gina')).body).toEqual([])
  expect((await buyer.read(exportOwnData)).vouchers).toEqual([])

  const confirm = (gift: object) =>
    buyer.request('PUT', `/api/user/payments/${second.body.paymentIntentId}/confirmation`, {
      tab: 'a',
      isBeginRequested: true,
      gift,
    })
  expect(await confirm({ sendOn: '2026-12-06' })).toBeRefused(voucherRefusals.voucher_day_impossible)
  expect((await confirm({ message: 'Happy birthday', sendOn: day })).status).toBe(200)
  await bank.pay(second)
  const { body } = await activatePass(buyer, sold, second)
  expect(body).toMatchObject({ recipientName: 'Gina', sendAt: london(`${day} 09:00`).toString(), sentAt: null })
  expect((await buyer.read(exportOwnData)).vouchers).toMatchObject([{ message: 'Happy birthday' }])
  expect((await purchaseOf(buyer)).beginRequestedAt).toBeNull()
  await bank.pay(first)
  expect((await activatePass(buyer, sold, first)).body).toMatchObject({ recipientName: 'Grace' })
  await bank.pay(plain)
  expect((await activatePass(buyer, sold, plain)).body).toMatchObject({ userId: buyer.id, packageId: sold.id })
  studio.clock.set(london(`${day} 09:00`))
  await studio.server.workers['send-vouchers']({}, 'by hand')
  expect(await mailsTo('gina@gifts.example', /^Cleo .*has given you/)).toHaveLength(1)

  const send = (person: Person, recipientEmail: string) =>
    person.call(sendOwnVoucher, { params: { id: body.id }, body: { recipientEmail } })
  expect((await send(buyer, 'g@gifts.example')).body).toMatchObject({ recipientEmail: 'g@gifts.example' })
  expect(await mailsTo('g@gifts.example', /has given you/)).toHaveLength(1)
  expect(await send(story.ana, 'thief@gifts.example')).toBeRefused(voucherRefusals.voucher_not_found)
  const card = (person: Person) => person.request('GET', `/api/user/vouchers/${body.id}/card.pdf`)
  expect((await card(buyer)).headers.get('content-type')).toBe('application/pdf')
  expect(await card(story.ana)).toBeRefused(voucherRefusals.voucher_not_found)
  expect(await card(studio.visitor('Vic'))).toBeRefused(commonRefusals.unauthorized)
  await intact()
})

test('refuses what cannot be given, and asks for no money', async () => {
  const { studio, ana } = story
  const once = await studio.createPackage({ purchaseOncePerUser: true, price: '45.50' })
  const sold = await studio.createPackage({ price: '45.50' })
  expect(await start(ana, once)).toBeRefused(voucherRefusals.voucher_once_only)
  const on = (sendOn: string) => start(ana, sold, { ...GRACE, recipientEmail: 'g@gifts.example', sendOn })
  expect(await on('2026-12-06')).toBeRefused(voucherRefusals.voucher_day_impossible)
  expect(await on('2029-01-01')).toBeRefused(voucherRefusals.voucher_day_impossible)
  for (const gift of [
    {},
    { recipientName: ' ' },
    { ...GRACE, recipientEmail: 'grace' },
    { ...GRACE, message: 'x'.repeat(2001) },
  ])
    expect([gift, (await start(ana, sold, gift)).status]).toEqual([gift, 400])
  expect(await start(ana, sold, GRACE, { amount: '1.00' })).toBeRefused(paymentRefusals.price_changed)
  expect(await studio.count('select count(*) from vouchers where buyer_id = $1', [ana.id])).toBe(0)
})

test('a gift can have a code, which may make it free', async () => {
  const { studio, bank, dora } = story
  const buyer = await studio.member('Dee')
  const sold = await studio.createPackage({ name: 'Four', price: '40.00' })
  for (const [code, value] of [
    ['GIFT10', 10],
    ['GIFT100', 100],
  ] as const) {
    const body = { code, kind: 'percent', value, oncePerMember: true, firstPurchaseOnly: false }
    expect((await dora.request('POST', '/api/admin/promotion-codes', body)).status).toBe(201)
  }
  const quote = await buyer.request('GET', `/api/checkout/quote?packageId=${sold.id}&code=GIFT10&gift=true`)
  expect(quote.body).toMatchObject({ lines: [{ label: 'Gift voucher: Four', amount: '40.00' }, {}], total: '36.00' })
  const started = await start(buyer, sold, GRACE, { amount: '36.00', code: 'GIFT10' })
  await bank.pay(started)
  expect((await activatePass(buyer, sold, started)).status).toBe(201)
  expect(await purchaseOf(buyer)).toMatchObject({ amount: '36.00', refund: { amount: '36.00' } })
  expect(await start(buyer, sold, GRACE, { amount: '36.00', code: 'GIFT10' })).toBeRefused(
    codeRefusals.code_already_used,
  )

  const body = { packageId: sold.id, code: 'GIFT100', gift: GRACE }
  expect(await buyer.request('POST', '/api/checkout/free', body)).toMatchObject({
    status: 201,
    body: { message: 'Your voucher is ready' },
  })
  expect(await purchaseOf(buyer)).toMatchObject({ amount: '0.00', isVoucher: true })
  expect(await mailsTo(buyer.email, /^Your gift voucher for/)).toHaveLength(2)
  await intact()
})

test('keeps its price for 30 minutes; a payment that is over leaves no voucher, and a blocked buyer gets the money back', async () => {
  const { studio, bank, dora } = story
  const buyer = await studio.member('Edna')
  const sold = await studio.createPackage({ price: '40.00' })
  const started = await start(buyer, sold)
  const from = studio.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days: 1 }).toString()
  await dora.call(editPackage, { params: { id: sold.id }, body: { nextPrice: { price: '44', from } } })
  studio.clock.set(london(`${from} 00:10`))
  expect((await start(buyer, sold)).body).toEqual(started.body)
  studio.clock.set(london(`${from} 00:31`))
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await bank.statusOf(started.body.paymentIntentId)).toBe('canceled')
  expect(await studio.count('select count(*) from vouchers where buyer_id = $1', [buyer.id])).toBe(0)

  const again = await start(buyer, { ...sold, pricePence: 4400 })
  await bank.pay(again)
  await dora.call(blockMember, { params: { id: buyer.id }, body: { reason: 'Shouts' } })
  expect(await activatePass(buyer, sold, again)).toBeRefused(paymentRefusals.blocked_purchase_refunded)
  expect(await studio.count('select count(*) from vouchers where buyer_id = $1', [buyer.id])).toBe(0)
  await intact()
})

test('a refund, here or at the provider, and a lost dispute void the voucher; a dispute that is won thaws it', async () => {
  const { studio, bank, boris, dora } = story
  const here = await bought('Fay')
  const code = await printedCode(here.buyer)
  const purchase = await purchaseOf(here.buyer)
  expect((await dora.call(refundPurchase, { params: { id: purchase.id }, body: {} })).status).toBe(200)
  expect(await redeem(boris, code)).toBeRefused(voucherRefusals.voucher_void)
  await studio.runQueue('send-refund')
  expect(await bank.refundsOf(here.intentId)).toEqual([4550])
  expect((await mailsTo(here.buyer.email, /refund/))[0]?.text).toContain('The voucher can no longer be used.')

  const there = await bought('Gil')
  const sent = await printedCode(there.buyer)
  await bank.stripe.refunds.create({ payment_intent: there.intentId })
  await bank.deliverEvents(studio, there.intentId)
  expect(await redeem(boris, sent)).toBeRefused(voucherRefusals.voucher_void)
  expect((await mailsTo(there.buyer.email, /refund/))[0]?.text).toContain('The voucher can no longer be used.')

  for (const [name, evidence] of [
    ['Hal', 'winning_evidence'],
    ['Ivy', 'losing_evidence'],
  ] as const) {
    const { buyer, intentId } = await bought(name)
    const code = await printedCode(buyer)
    await bank.simulate('dispute', intentId)
    await bank.deliverEvents(studio, intentId)
    expect(await redeem(boris, code)).toBeRefused(voucherRefusals.voucher_on_hold)
    const [held, ...more] = await mailsTo(buyer.email, /gift voucher .*is on hold/)
    expect(held?.text).toContain('It cannot be redeemed until the dispute is settled.')
    expect(more).toEqual([])
    const [notice] = await noticesAbout(name)
    expect(notice?.text).toContain('We have put the voucher on hold and emailed the member who bought it.')
    expect(notice?.text).not.toMatch(/\bpass\b/i)
    const [dispute] = (await bank.stripe.disputes.list({ payment_intent: intentId })).data
    await bank.decideDispute(defined(dispute).id, evidence)
    await bank.deliverEvents(studio, intentId)
    const isLost = evidence === 'losing_evidence'
    expect(await mailsTo(buyer.email, /can be redeemed again/)).toHaveLength(isLost ? 0 : 1)
    expect(await mailsTo(buyer.email, /is no longer valid/)).toHaveLength(isLost ? 1 : 0)
    expect((await noticesAbout(name)).filter(({ text }) => /\bpass\b/i.test(text))).toEqual([])
    if (isLost) expect(await redeem(boris, code)).toBeRefused(voucherRefusals.voucher_void)
    else expect((await redeem(boris, code)).status).toBe(201)
  }
  await intact()
})

test.each(['redemption', 'refund'])('never leaves credits and money when a %s has a head start', async (first) => {
  const { studio, bank } = story
  for (let round = 0; round < 3; round++) {
    const { buyer, intentId } = await bought(`${first} ${round}`)
    const holder = await studio.member(`Holder of ${first} ${round}`)
    const code = await printedCode(buyer)
    await bank.stripe.refunds.create({ payment_intent: intentId })
    const refunding = () => bank.deliverEvents(studio, intentId)
    const [redeemed] = await (first === 'refund'
      ? Promise.all([refunding(), redeem(holder, code)]).then((both) => both.toReversed())
      : Promise.all([redeem(holder, code), refunding()]))
    const response = defined(redeemed) as Awaited<ReturnType<typeof redeem>>
    if (response.status !== 201) expect(response).toBeRefused(voucherRefusals.voucher_void)
    expect(await studio.creditsOf(holder)).toBe(0)
    expect(await mailsTo(holder.email, /has ended/)).toHaveLength(response.status === 201 ? 1 : 0)
    expect(await bank.refundsOf(intentId)).toEqual([4550])
  }
  await intact()
})

test('once redeemed, a refund ends the pass and the money goes to the buyer; a dispute holds the pass and its holder is emailed', async () => {
  const { studio, bank, dora } = story
  const { buyer, intentId } = await bought('Jo')
  const kim = await studio.member('Kim')
  expect((await redeem(kim, await printedCode(buyer))).status).toBe(201)
  await bank.simulate('dispute', intentId)
  await bank.deliverEvents(studio, intentId)
  expect((await mailsTo(kim.email, /is on hold/))[0]?.text).toContain(
    'The payment for Gift of Jo, which you were given, is disputed.',
  )
  expect(await mailsTo(buyer.email, /is on hold/)).toEqual([])
  const [dispute] = (await bank.stripe.disputes.list({ payment_intent: intentId })).data
  await bank.decideDispute(defined(dispute).id, 'winning_evidence')
  await bank.deliverEvents(studio, intentId)
  expect(await mailsTo(kim.email, /can be used again/)).toHaveLength(1)

  const purchase = await purchaseOf(buyer)
  expect(purchase.refund).toMatchObject({ amount: '40.95', fee: '4.55' })
  expect((await dora.call(refundPurchase, { params: { id: purchase.id }, body: {} })).status).toBe(200)
  expect(await studio.creditsOf(kim)).toBe(0)
  expect(await mailsTo(buyer.email, /^Your refund/)).toHaveLength(1)
  expect(await mailsTo(kim.email, /has ended/)).toHaveLength(1)
  await studio.runQueue('send-refund')
  expect(await bank.refundsOf(intentId)).toEqual([4095])
  await intact()
})

test('a lost dispute of a redeemed gift tells its buyer about the gift, and its holder about the pass', async () => {
  const { studio, bank, dora } = story
  const { buyer, sold, intentId } = await bought('Lou')
  const max = await studio.member('Max')
  await redeem(max, await printedCode(buyer))
  await dora.call(editPackage, { params: { id: sold.id }, body: { name: 'Renamed' } })
  await bank.simulate('dispute', intentId)
  await bank.deliverEvents(studio, intentId)
  const [dispute] = (await bank.stripe.disputes.list({ payment_intent: intentId })).data
  await bank.decideDispute(defined(dispute).id, 'losing_evidence')
  await bank.deliverEvents(studio, intentId)
  const [toBuyer, ...more] = await mailsTo(buyer.email, /has ended/)
  expect([toBuyer?.subject, more]).toEqual(['Your gift of Gift of Lou has ended', []])
  expect(toBuyer?.text).toContain('Your bank has returned your payment of £45.50 for the gift voucher to you.')
  const toHolder = await mailsTo(max.email, /has ended/)
  expect(toHolder.map(({ subject }) => subject)).toEqual(['Your Gift of Lou has ended'])
  expect(await studio.creditsOf(max)).toBe(0)
  await intact()
})

describe('a partial refund of a redeemed gift', () => {
  const redeemed = async (name: string) => {
    const gift = await bought(name)
    const holder = await story.studio.member(`Holder of ${name}`)
    await redeem(holder, await printedCode(gift.buyer))
    return { ...gift, holder, purchase: await purchaseOf(gift.buyer) }
  }

  test('tells the holder about the credits, and the buyer about the gift', async () => {
    const { studio, dora } = story
    const { buyer, holder, purchase } = await redeemed('Lea')
    const body = { amount: '15.00', reason: 'Agreed', credits: 1 }
    expect((await dora.call(refundPurchase, { params: { id: purchase.id }, body })).status).toBe(200)
    expect(await studio.creditsOf(holder)).toBe(2)
    const [taken, ...more] = await mailsTo(holder.email, /has fewer credits/)
    expect(taken?.text).toContain('We have therefore taken 1 credit off your pass.')
    expect(more).toEqual([])
    const [mail] = await mailsTo(buyer.email, /^Your refund of £15.00/)
    expect(mail?.text).toContain('It now pays for fewer classes, as we have told the person who has it.')
    expect(mail?.text).not.toMatch(/your pass|your class pass|fewer credits/i)
  })

  test('made at the provider tells the holder when the owner has decided', async () => {
    const { bank, studio, dora } = story
    const { buyer, holder, intentId } = await redeemed('Mia')
    await bank.stripe.refunds.create({ payment_intent: intentId, amount: 1500 })
    await bank.deliverEvents(studio, intentId)
    expect((await mailsTo(buyer.email, /^Your refund/))[0]?.text).not.toMatch(/your pass|your class pass/i)
    expect(await mailsTo(holder.email, /has fewer credits/)).toEqual([])
    const [made] = (await purchaseOf(buyer)).refunds
    await dora.call(decideRefund, { params: { id: defined(made).id }, body: { credits: 2 } })
    expect((await mailsTo(holder.email, /has fewer credits/))[0]?.text).toContain('2 credits')
  })

  test('by the buyer who redeemed it is about their own pass', async () => {
    const { dora } = story
    const { buyer } = await bought('Noor')
    await redeem(buyer, await printedCode(buyer))
    const { id } = await purchaseOf(buyer)
    await dora.call(refundPurchase, { params: { id }, body: { amount: '15.00', reason: 'Agreed', credits: 1 } })
    expect((await mailsTo(buyer.email, /^Your refund/))[0]?.text).toContain('Your pass now has fewer credits.')
    expect(await mailsTo(buyer.email, /has fewer credits/)).toEqual([])
  })
})

test.each([
  ['four seconds', { seconds: 4 }, '2029-03-24T23:59:59Z'],
  ['a week and some hours over the change of the clocks', { hours: 7 * 24 + 5 }, '2029-03-31T22:59:59Z'],
] as const)(
  'a voucher on hold for %s ends at the end of a London day, and its buyer is reminded again',
  async (name, length, expiresAt) => {
    const { studio, bank } = story
    const { pool } = studio.server.database
    const { intentId, voucher } = await bought(name)
    await pool.query("update vouchers set expires_at = '2029-03-23T23:59:59Z', reminded_at = now() where id = $1", [
      voucher.id,
    ])
    await bank.simulate('dispute', intentId)
    await bank.deliverEvents(studio, intentId)
    studio.clock.advance(length)
    const [dispute] = (await bank.stripe.disputes.list({ payment_intent: intentId })).data
    await bank.decideDispute(defined(dispute).id, 'winning_evidence')
    await bank.deliverEvents(studio, intentId)
    const isAsExpected = 'select count(*) from vouchers where id = $1 and expires_at = $2 and reminded_at is null'
    expect(await studio.count(isAsExpected, [voucher.id, expiresAt])).toBe(1)
  },
)
