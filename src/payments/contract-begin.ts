import { z } from 'zod'
import { endpoint } from '../foundation/endpoint.ts'
import { DateText, Message } from '../foundation/fields.ts'
import { paymentRefusals } from './contract.ts'

/**
 * The consumer's express request of regulation 36 of the Consumer Contracts Regulations 2013: without it nothing is to be
 * paid for what was taken before a contract is cancelled in time. Never a condition of paying or booking. Here: a purchase
 * whose days to cancel go on, and for which nobody has asked to begin within them.
 */
export const BeginOffer = z
  .object({
    purchaseId: z.int(),
    package: z.object({ id: z.int(), name: z.string() }),
    /** The last day on which it can be cancelled by law. */
    until: DateText(),
  })
  .meta({ id: 'BeginOffer' })
export type BeginOffer = z.output<typeof BeginOffer>

export const listBeginOffers = endpoint({
  who: 'member',
  method: 'GET',
  path: '/api/user/begin-requests',
  summary: 'Purchases that can still be cancelled by law, for which the member has not asked to begin within that time',
  reply: z.array(BeginOffer),
  refusals: [],
})

export const askToBegin = endpoint({
  who: 'member',
  method: 'POST',
  path: '/api/user/begin-requests',
  summary:
    'Ask expressly to begin within the cancellation period, for all these purchases; asked again nothing changes',
  reply: Message,
  refusals: [],
})

export const askToBeginPayment = endpoint({
  who: 'member',
  method: 'PUT',
  path: '/api/user/payments/:id/begin-request',
  summary: 'Ask for it, or take it back, for a payment that is being made; what has become a purchase keeps a request',
  params: z.object({ id: z.string().min(1).max(255) }),
  body: z.object({ isAsked: z.boolean('Please send true or false') }),
  reply: Message,
  refusals: [paymentRefusals.intent_not_found],
})
