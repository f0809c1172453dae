import fc from 'fast-check'
import { toDecimal } from '#foundation/money.ts'
import { editPackage } from '#packages/contract.ts'
import type { PackageRow } from '#packages/tables.ts'
import { confirmOrder, createPaymentIntent, refundByHand } from '#payments/contract.ts'
import { orderOf } from '#payments/order-rules.ts'
import { activatePass } from '#payments/server/bank-under-test.ts'
import type { Snapshot } from './snapshot.ts'
import { defineStep, itemIndex, memberIndex, pick, type StepResult, toResult } from './step.ts'
import { CODE, type Tab, type World } from './world.ts'

const order = {
  who: memberIndex,
  what: fc.nat(1),
  to: fc.constantFrom(undefined, undefined, 'Grace', 'Henry'),
  hasCode: fc.constantFrom(false, false, true),
}
/** Who reports a successful payment: the browser, the provider, both, or nobody before the next poll. */
const reporter = fc.constantFrom('browser', 'browser', 'provider', 'both', 'nobody')

type Order = { who: number; what: number; to: string | undefined; hasCode: boolean }

async function openTab(world: World, { who, what, to, hasCode }: Order): Promise<{ tab: Tab; line: string }> {
  const [member, bought] = [world.member(who), pick(what, world.packages) as PackageRow]
  const code = hasCode ? CODE : undefined
  const pence = orderOf(bought, code).totalPence
  const gift = to && { recipientName: to }
  const body = { packageId: bought.id, amount: toDecimal(pence), code: code?.code, gift }
  const started = await member.call(createPaymentIntent, { body })
  const tab: Tab = { key: `tab ${world.tabs.length}`, member, bought, pence, started, ...(to && { to }) }
  if (started.status < 400) world.tabs.push(tab)
  const line = `${member.name} opens the checkout of ${bought.name} for £${body.amount}${to ? `, for ${to}` : ''}`
  return { tab, line: started.status < 400 ? line : `${line}: ${started.status} ${started.body?.message}` }
}

/** Presses the button of a tab, which may have been left open. */
async function press(world: World, state: Snapshot, tab: Tab, by: string): Promise<StepResult> {
  const { member, started, to, pence } = tab
  const id = String(started.body.paymentIntentId)
  const line = `${member.name} pays £${toDecimal(pence)} in ${tab.key} (reported by ${by})`
  const body = { tab: tab.key, isBeginRequested: true, gift: to && { message: tab.key } }
  const confirmed = await member.call(confirmOrder, { params: { id }, body })
  const wasPaid = state.intents.some((intent) => intent.id === id && intent.state === 'purchased')
  if (confirmed.status >= 400) return toResult(line, confirmed)
  if (wasPaid) return { line, responses: [], check: () => ['an order that was paid could be confirmed again'] }
  const paid = await world.bank.pay(started)
  if (paid.status !== 'succeeded') return { line: `${line}: not paid`, responses: [] }
  world.paidIntents.add(id)
  const responses = await Promise.all([
    ...(by === 'browser' || by === 'both' ? [activatePass(member, tab.bought, started)] : []),
    ...(by === 'provider' || by === 'both'
      ? [world.bank.deliverEvent(world.studio, 'payment_intent.succeeded', id)]
      : []),
  ])
  const check: StepResult['check'] = (_before, after) => {
    if (responses.length === 0) return []
    const purchase = after.purchases.find(({ paymentIntentId }) => paymentIntentId === id)
    const voucher = after.vouchers.find(({ paymentIntentId }) => paymentIntentId === id)
    const got = `£${toDecimal(purchase?.amountPence ?? pence)} for ${voucher?.recipientName} with ${voucher?.message}`
    const shown = `£${toDecimal(pence)} for ${to} with ${to && tab.key}`
    const isOpen = after.intents.some((intent) => intent.id === id && intent.state === 'open')
    return [
      ...(isOpen ? ['a reported payment is still open'] : []),
      ...(got === shown ? [] : [`${tab.key} shows ${shown}, but paid ${got}`]),
    ]
  }
  const statuses = responses.map(({ status }) => status)
  return {
    line: `${line}: ${statuses.join(', ')}`,
    responses: responses.filter(({ status }) => status < 400 || status >= 500),
    check,
  }
}

export const openCheckoutStep = defineStep(
  'opensCheckout',
  4,
  order,
)(async (world, _state, chosen) => {
  const { line } = await openTab(world, chosen)
  // A refusal may have settled an earlier, unreported payment.
  return { line, responses: [] }
})

export const buyStep = defineStep('buys', 7, { ...order, reporter })(
  async (world, state, { reporter: by, ...chosen }) => {
    const { tab, line } = await openTab(world, chosen)
    return tab.started.status < 400 ? await press(world, state, tab, by) : { line, responses: [] }
  },
)

/** Pays in a tab that was left open: its order may have been paid, ended or confirmed in another tab. */
export const payLeftOpenStep = defineStep('paysLeftOpen', 5, { which: itemIndex, reporter })(
  async (world, state, { which, reporter: by }) => {
    const tab = pick(which, world.tabs)
    return tab && (await press(world, state, tab, by))
  },
)

export const renamePackageStep = defineStep('renames', 2, {
  what: fc.nat(1),
  name: fc.constantFrom('Kickstart', 'Ten Classes'),
})(async (world, _state, { what, name }) => {
  const renamed = pick(what, world.packages) as PackageRow
  const response = await world.owner.call(editPackage, { params: { id: renamed.id }, body: { name } })
  return toResult(`Dora renames ${renamed.name} to ${name}`, response)
})

/** The owner gives money back in cash or by transfer. */
export const refundByHandStep = defineStep('refundsByHand', 4, {
  which: itemIndex,
  amount: fc.constantFrom('5.00', '20.00', '90.00'),
  credits: fc.nat(1),
})(async (world, state, { which, amount, credits }) => {
  const refunded = pick(which, state.purchases)
  if (!refunded) return undefined
  await world.studio.logIn(world.owner)
  const paidOn = world.now.toZonedDateTimeISO('Europe/London').toPlainDate().toString()
  const body = { amount, credits, paidOn, method: 'bank_transfer', reason: 'Her card was closed' }
  const response = await world.owner.call(refundByHand, { params: { id: refunded.id }, body })
  const line = `Dora gives £${amount} of purchase ${refunded.id} back by hand`
  return toResult(line, response, (before, after) => {
    const [was, now] = [before, after].map(({ purchases }) => purchases.find(({ id }) => id === refunded.id))
    const given = (now?.refundedPence ?? 0) - (was?.refundedPence ?? 0)
    return toDecimal(given) === amount ? [] : [`${toDecimal(given)} of ${amount} is in the books`]
  })
})
