import { refuse } from '#foundation/refusal.ts'
import type { TokenOf } from '#messages/server/messages.ts'
import { type Http, sendPage, sendTotal, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import * as news from '../contract-news.ts'
import { promptedBy, promptsAt, weekAhead } from './lists.ts'
import { answerNewsOffer, isNewsOffered } from './news-offer.ts'
import { previewMessage, sendMessage, sendTest } from './send-message.ts'
import { countMessages, notReached, sentMessages } from './sent-messages.ts'

export function mailingRoutes(http: Http, { tokenOf }: { tokenOf: TokenOf }): void {
  serve(http, contract.previewMessage, async ({ db, now, body }) => previewMessage(db, body, now))
  write(http, contract.testMessage, ({ tx, now, user, body }) => sendTest(tx, user, body, { tokenOf, now }))
  write(http, contract.sendMessage, ({ tx, now, user, body }) => sendMessage(tx, user, body, { tokenOf, now }))
  serve(http, contract.listMessages, async ({ db, query, reply }) => {
    return await sendPage(reply, query, () => countMessages(db), sentMessages(db, query))
  })
  serve(http, contract.getMessage, async ({ db, params }) => {
    const [message] = await sentMessages(db, params)
    if (!message) refuse(contract.mailingRefusals.message_not_found)
    return { ...message, notReached: await notReached(db, message.id) }
  })
  serve(http, news.getNewsOffer, async ({ db, user }) => ({ isOffered: await isNewsOffered(db, user.id) }))
  write(http, news.answerNewsOffer, async ({ tx, now, user, body }) => {
    await answerNewsOffer(tx, user, body, now)
    return { message: body.wantsNews ? 'You will hear from us by email.' : 'We will not ask again.' }
  })
  serve(http, contract.getPrompts, async ({ db, now }) => promptsAt(db, now))
  serve(http, contract.listWeek, async ({ db, now }) => weekAhead(db, now))
  serve(http, contract.listPrompted, async ({ db, now, query, reply }) => {
    const { people, total } = await promptedBy(db, query, now)
    sendTotal(reply, total)
    return people
  })
}
