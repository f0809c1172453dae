import { isIP } from 'node:net'
import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Database } from '#platform/database/database.ts'
import { PUBLIC_INTERNET, type Reach } from '#platform/http/public-internet.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { pushRefusals } from '../contract.ts'
import type { PushKeys } from './keys.ts'
import { chooseKinds, deleteSubscription, endpointOf, saveSubscription, switchedOff } from './subscriptions.ts'

export function pushRoutes(
  http: Http,
  {
    database,
    clock,
    keys,
    reach = PUBLIC_INTERNET,
  }: { database: Database; clock: Clock; keys: PushKeys; reach?: Reach | undefined },
) {
  const choiceOf = async ({ id, session }: { id: string; session: { id: string } }) => ({
    publicKey: keys.publicKey,
    off: await switchedOff(database.db, id),
    endpoint: await endpointOf(database.db, session.id),
  })

  serve(http, contract.readNotifications, async ({ user }) => await choiceOf(user))

  serve(http, contract.subscribe, async ({ user, body }) => {
    const { protocol, hostname } = new URL(body.endpoint)
    const host = hostname.replace(/^\[|\]$/g, '')
    const isLiteral = isIP(host) !== 0
    if (!reach.protocols.includes(protocol) || (isLiteral && !reach.mayConnect(host)))
      refuse(pushRefusals.not_a_push_service)
    await database.transaction((tx) => saveSubscription(tx, user, body, clock.now()))
    return await choiceOf(user)
  })

  serve(http, contract.unsubscribe, async ({ user }) => {
    await deleteSubscription(database.db, user.session.id)
    return { message: 'Notifications are off on this device.' }
  })

  serve(http, contract.chooseNotifications, async ({ user, body }) => {
    await database.transaction((tx) => chooseKinds(tx, user.id, [...new Set(body.off)]))
    return await choiceOf(user)
  })
}
