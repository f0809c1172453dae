import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import type { Database } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, sendPage, sendTotal, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import * as news from '../contract-news.ts'
import { promptedBy, promptsAt, weekAhead } from './lists.ts'
import { answerNewsOffer, isNewsOffered } from './news-offer.ts'
import { previewMessage, sendMessage, sendTest } from './send-message.ts'
import { countMessages, notReached, sentMessages } from './sent-messages.ts'

export function mailingRoutes(http: Http, deps: { database: Database; clock: Clock; tokenOf: TokenOf }): void {
  const { database, clock, tokenOf } = deps
  serve(http, contract.previewMessage, async ({ body }) => previewMessage(database.db, body, clock.now()))
  serveOnce(http, contract.testMessage, deps, (tx, { user, body }) =>
    sendTest(tx, user, body, { tokenOf, now: clock.now() }),
  )
  serveOnce(http, contract.sendMessage, deps, (tx, { user, body }) =>
    sendMessage(tx, user, body, { tokenOf, now: clock.now() }),
  )
  serve(http, contract.listMessages, async ({ query, reply }) => {
    return await sendPage(reply, query, () => countMessages(database.db), sentMessages(database.db, query))
  })
  serve(http, contract.getMessage, async ({ params }) => {
    const [message] = await sentMessages(database.db, params)
    if (!message) refuse(contract.mailingRefusals.message_not_found)
    return { ...message, notReached: await notReached(database.db, message.id) }
  })
  serve(http, news.getNewsOffer, async ({ user }) => ({ isOffered: await isNewsOffered(database.db, user.id) }))
  serve(http, news.answerNewsOffer, async ({ user, body }) => {
    await database.transaction((tx) => answerNewsOffer(tx, user, body, clock.now()))
    return { message: body.wantsNews ? 'You will hear from us by email.' : 'We will not ask again.' }
  })
  serve(http, contract.getPrompts, async () => promptsAt(database.db, clock.now()))
  serve(http, contract.listWeek, async () => weekAhead(database.db, clock.now()))
  serve(http, contract.listPrompted, async ({ query, reply }) => {
    const { people, total } = await promptedBy(database.db, query, clock.now())
    sendTotal(reply, total)
    return people
  })
}
