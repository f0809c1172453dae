import { expect, test } from 'vitest'
import { initialFacts } from '#studio.ts'
import { listPaymentsUnderway, paymentRefusals } from '../contract.ts'
import { activatePass, shareStudioWithBank, startPayment } from './bank-under-test.ts'

const story = shareStudioWithBank()
const mailSubjectsTo = async (person: { email: string }) =>
  (await story.studio.mailTo(person)).map(({ subject }) => subject)
const stateOf = async (intentId: string) =>
  (await story.studio.server.database.pool.query('select state from payment_intents where id = $1', [intentId])).rows[0]

async function startDebitPayment(name: string, account?: string) {
  const { studio, bank } = story
  const member = await studio.member(name)
  const bought = await studio.createPackage({ name: `Pass of ${name}`, price: '45.50', classCount: 3 })
  const started = await startPayment(member, bought)
  expect(await bank.payByDebit(started, account)).toMatchObject({ status: 'processing' })
  return { member, bought, started, intentId: started.body.paymentIntentId as string }
}

test('shows a processing payment as such, does not ask for it again, and activates it days later', async () => {
  const { studio, bank, boris } = story
  const { member, bought, started, intentId } = await startDebitPayment('Delia')
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_processing)
  expect(await startPayment(member, bought)).toBeRefused(paymentRefusals.payment_processing)
  const underway = await member.call(listPaymentsUnderway)
  expect(underway.body).toEqual([
    { package: { id: bought.id, name: 'Pass of Delia' }, isVoucher: false, amount: '45.50', since: expect.any(String) },
  ])
  expect((await boris.call(listPaymentsUnderway)).body).toEqual([])
  expect(await studio.creditsOf(member)).toBe(0)
  studio.clock.advance({ hours: 96 })
  await studio.server.workers['reconcile-payments']({}, 'by hand')
  expect(await bank.statusOf(intentId)).toBe('processing')
  await bank.simulate('settle', intentId)
  await bank.deliverEvents(studio, intentId)
  expect(await studio.creditsOf(member)).toBe(3)
  expect((await member.call(listPaymentsUnderway)).body).toEqual([])
  const [receipt] = (await studio.mailTo(member)).filter(({ subject }) => subject.includes('receipt'))
  expect(receipt?.text).toMatch(/Paid with\s+Bank debit ending 2345/)
})

test('emails about a payment that fails later, which can be retried', async () => {
  const { studio, bank } = story
  const { member, bought, started, intentId } = await startDebitPayment('Bounce', '33333335')
  await bank.deliverEvents(studio, intentId)
  await bank.simulate('settle', intentId)
  await bank.deliverEvents(studio, intentId)
  await bank.deliverEvent(studio, 'payment_intent.payment_failed', intentId)
  const subjects = await mailSubjectsTo(member)
  expect(subjects.filter((subject) => subject.includes('did not go through'))).toEqual([
    'Your payment of £45.50 did not go through',
  ])
  expect((await startPayment(member, bought)).body).toEqual(started.body)
  await bank.pay(started)
  expect((await activatePass(member, bought, started)).status).toBe(201)
})

test('shows a declined card on screen only', async () => {
  const { studio, bank } = story
  const member = await studio.member('Deckard')
  const started = await startPayment(member, await studio.createPackage())
  await bank.pay(started, 'pm_card_chargeDeclined')
  await bank.deliverEvents(studio, started.body.paymentIntentId)
  expect((await mailSubjectsTo(member)).filter((subject) => subject.includes('payment'))).toEqual([])
})

test('stops polling a payment after a month of processing and emails the owner; it may still arrive', async () => {
  const { studio, bank } = story
  const { member, intentId } = await startDebitPayment('Eterna')
  await bank.deliverEvents(studio, intentId)
  for (let day = 0; day < 40; day++) {
    studio.clock.advance({ hours: 24 })
    await studio.server.workers['reconcile-payments']({}, 'by hand')
  }
  const due = 'select count(*) from payment_intents where id = $1 and next_poll_at is not null'
  expect(await studio.count(due, [intentId])).toBe(0)
  const notices = (await studio.mailTo({ email: initialFacts.ownerEmail })).filter(({ text }) =>
    text.includes('Eterna'),
  )
  expect(notices.map(({ subject }) => subject)).toEqual([
    'A payment has not arrived after a month: £45.50, Eterna Cast',
  ])
  await bank.simulate('settle', intentId)
  await bank.deliverEvents(studio, intentId)
  await studio.logIn(member)
  expect(await studio.creditsOf(member)).toBe(3)
})

test('returns a mismatched payment in full, in its own state, and emails both sides', async () => {
  const { studio, bank } = story
  const member = await studio.member('Mismo')
  const bought = await studio.createPackage({ name: 'Pass of Mismo', price: '45.50' })
  const started = await startPayment(member, bought)
  const intentId: string = started.body.paymentIntentId
  await bank.stripe.paymentIntents.update(intentId, { amount: 1000 })
  await bank.pay(started)
  await bank.deliverEvents(studio, intentId)
  await bank.deliverEvent(studio, 'payment_intent.succeeded', intentId)
  expect(await stateOf(intentId)).toEqual({ state: 'mismatched' })
  expect(await activatePass(member, bought, started)).toBeRefused(paymentRefusals.payment_mismatch_returned)
  await studio.runQueue('send-refund')
  await bank.deliverEvents(studio, intentId)
  expect(await bank.refundsOf(intentId)).toEqual([1000])
  expect(await studio.creditsOf(member)).toBe(0)
  expect((await mailSubjectsTo(member)).filter((subject) => subject.includes('returned'))).toEqual([
    'Your payment of £10.00 has been returned',
  ])
  const notices = (await studio.mailTo({ email: initialFacts.ownerEmail })).filter(({ text }) => text.includes('Mismo'))
  expect(notices).toMatchObject([{ text: expect.stringContaining('does not match') }])
})

test('identifies the payer by billing details and statement suffix; the provider mails no receipt', async () => {
  const { studio, bank } = story
  const member = await studio.member('Paya')
  const started = await startPayment(member, await studio.createPackage({ name: 'Pass of Paya', price: '45.50' }))
  await bank.browser(started, 'confirm', {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2034',
    'payment_method_data[billing_details][name]': 'Paya Cast',
    'payment_method_data[billing_details][email]': member.email,
  })
  const intent = await bank.stripe.paymentIntents.retrieve(started.body.paymentIntentId, { expand: ['latest_charge'] })
  expect(intent).toMatchObject({
    receipt_email: null,
    statement_descriptor_suffix: 'ALDERGATE',
    latest_charge: {
      calculated_statement_descriptor: 'SANDBOX* ALDERGATE',
      billing_details: { name: 'Paya Cast', email: member.email },
    },
  })
  await bank.deliverEvents(studio, intent.id)
  const [receipt] = (await studio.mailTo(member)).filter(({ subject }) => subject.includes('receipt'))
  expect(receipt?.text).toMatch(/Paid with\s+Visa ending 4242/)
  for (const words of [
    'You have the right to cancel this contract within 14 days without giving any reason.',
    'at the end of 03/02/2027',
    'compared with the whole pass',
    'Complete and return this form only if you wish to cancel the contract.',
    'I hereby give notice that I cancel my contract for the supply of the following service: Pass of Paya',
    'Signature of consumer (only if this form is sent on paper)',
    initialFacts.address.street,
  ]) {
    expect(receipt?.text.replaceAll(/\s+/g, ' ')).toContain(words)
  }
})
