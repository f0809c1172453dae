import fc from 'fast-check'
import { refundPurchase } from '../../payments/contract.ts'
import { begins, registers } from '../../payments/server/bank-under-test.ts'
import { deed, pick, someone, something, stepKind } from './step.ts'
import type { World } from './world.ts'

/** Who tells the studio that a payment was made: the browser, the provider, both, or nobody until it asks. */
const HERALDS = ['browser', 'browser', 'provider', 'both', 'nobody'] as const

/** Buys a pass by card. */
export const buys = stepKind(
  'buys',
  7,
  { who: someone, what: fc.nat(1), herald: fc.constantFrom(...HERALDS) },
  async (world, _state, { who, what, herald }) => {
    const member = world.who(who)
    const bought = pick(world.packages, what)
    if (!bought) return undefined
    const line = `${member.name} buys ${bought.name} (told by ${herald})`
    const begun = await begins(member, bought)
    // A refusal may have settled an earlier payment that nobody had told of: then that is what changed.
    if (begun.status >= 400) return { line: `${line}: ${begun.status} ${begun.body?.message}`, answers: [] }
    const paid = await world.bank.pay(begun)
    if (paid.status !== 'succeeded') return { line: `${line}: not paid`, answers: [] }
    const intentId = String(begun.body.paymentIntentId)
    const answers = await Promise.all([
      ...(herald === 'browser' || herald === 'both' ? [registers(member, bought, begun)] : []),
      ...(herald === 'provider' || herald === 'both' ? [tells(world, intentId)] : []),
    ])
    return {
      line: `${line}: ${answers.map(({ status }) => status).join(', ')}`,
      answers: answers.filter(({ status }) => status < 400 || status >= 500),
      check: (_before, after) => {
        const bookedAs = after.intents.find(({ id }) => id === intentId)?.state
        return answers.length > 0 && bookedAs === 'open' ? [`a payment that was told of is still ${bookedAs}`] : []
      },
    }
  },
)

const tells = (world: World, intentId: string) => world.bank.tells(world.studio, 'payment_intent.succeeded', intentId)

/** The studio asks the provider about what it does not know yet, and sends what it owes. */
export const reconciles = stepKind('reconciles', 3, {}, async (world) => {
  world.studio.clock.advance({ minutes: 2 })
  await world.studio.server.workers['reconcile-payments']({}, 'history')
  await world.studio.works('send-refund')
  return {
    line: 'the studio asks the provider about open payments',
    answers: [],
    check: (_before, after) =>
      after.intents
        .filter(({ state }) => state === 'open')
        .map(({ id }) => `payment ${id} is open although it was made`),
  }
})

/** The owner refunds a purchase here. */
export const refundsHere = stepKind('refundsHere', 4, { which: something }, async (world, state, { which }) => {
  const refunded = pick(state.purchases, which)
  if (!refunded) return undefined
  const answer = await world.owner.call(refundPurchase, { params: { id: refunded.id } })
  await world.studio.works('send-refund')
  return deed(`Dora refunds purchase ${refunded.id}`, answer, (_before, after) =>
    after.passes
      .filter(({ purchaseId, creditsRemaining }) => purchaseId === refunded.id && creditsRemaining > 0)
      .map(({ id }) => `pass ${id} was refunded and still holds credits`),
  )
})
