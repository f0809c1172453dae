import { isIP } from 'node:net'
import { refuse } from '#foundation/refusal.ts'
import type { Reader } from '#platform/database/database.ts'
import { PUBLIC_INTERNET, type Reach } from '#platform/http/public-internet.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { pushRefusals } from '../contract.ts'
import type { PushKeys } from './keys.ts'
import { chooseKinds, deleteSubscription, endpointOf, saveSubscription, switchedOff } from './subscriptions.ts'

export function pushRoutes(
  http: Http,
  { keys, reach = PUBLIC_INTERNET }: { keys: PushKeys; reach?: Reach | undefined },
) {
  const choiceOf = async (reader: Reader, { id, session }: { id: string; session: { id: string } }) => ({
    publicKey: keys.publicKey,
    off: await switchedOff(reader, id),
    endpoint: await endpointOf(reader, session.id),
  })

  serve(http, contract.readNotifications, ({ db, user }) => choiceOf(db, user))

  write(http, contract.subscribe, async ({ tx, now, user, body }) => {
    const { protocol, hostname } = new URL(body.endpoint)
    const host = hostname.replace(/^\[|\]$/g, '')
    const isLiteral = isIP(host) !== 0
    if (!reach.protocols.includes(protocol) || (isLiteral && !reach.mayConnect(host)))
      refuse(pushRefusals.not_a_push_service)
    await saveSubscription(tx, user, body, now)
    return await choiceOf(tx, user)
  })

  write(http, contract.unsubscribe, ({ tx, user }) => deleteSubscription(tx, user.session.id))

  write(http, contract.chooseNotifications, async ({ tx, user, body }) => {
    await chooseKinds(tx, user.id, [...new Set(body.off)])
    return await choiceOf(tx, user)
  })
}
