import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { Message } from '#foundation/fields.ts'

export const getNewsOffer = endpoint('GET /api/user/news-offer', {
  who: 'member',
  summary:
    'Whether to offer news on the dashboard: once, after the first booking, if the member has not agreed or objected',
  response: z.object({ isOffered: z.boolean() }).meta({ id: 'NewsOffer' }),
})

export const answerNewsOffer = endpoint('POST /api/user/news-offer', {
  who: 'member',
  summary: 'Answer the offer of news: `true` records the consent, `false` only that it was answered',
  body: z.object({ wantsNews: z.boolean('Please answer yes or no') }),
  response: Message,
})
