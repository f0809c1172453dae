import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, FlagText, PathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { paymentRefusals } from './contract.ts'

export const beginRefusals = refusals({
  class_already_taken: [
    400,
    'You have already taken a class with this purchase, so your request to start early can no longer be withdrawn.',
  ],
})

/**
 * A purchase that can still be cancelled by law, for which the member has not asked to start early (regulation 36 of
 * the Consumer Contracts Regulations 2013). The request is never a condition of paying or booking.
 */
export const BeginOffer = z
  .object({
    purchaseId: z.int(),
    package: z.object({ id: z.int(), name: z.string() }),
    until: DateText(),
  })
  .meta({ id: 'BeginOffer' })
export type BeginOffer = z.output<typeof BeginOffer>

export const listBeginOffers = endpoint('GET /api/user/begin-requests', {
  who: 'member',
  summary:
    'Purchases that can still be cancelled by law and have no request to start early; with `classId` only the one whose pass would pay for that class, or with `isSecond` for a companion’s place beside it',
  query: z.object({
    classId: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
    isSecond: FlagText('Enter true or false for isSecond').optional(),
  }),
  response: z.array(BeginOffer),
})

export const requestBegin = endpoint('POST /api/user/begin-requests', {
  who: 'member',
  summary:
    'Ask to start within the cancellation period, for all these purchases; repeating it changes nothing. For one purchase, send `beginRequest` with a booking',
  says: 'Noted',
})

export const withdrawBeginRequest = endpoint('DELETE /api/user/purchases/:id/begin-request', {
  who: 'member',
  summary: 'Withdraw the request to start within the cancellation period, until a class of the purchase was taken',
  params: PathId,
  says: 'Withdrawn',
  refusals: [paymentRefusals.purchase_not_found, beginRefusals.class_already_taken],
})
