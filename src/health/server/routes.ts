import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, sendTotal, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { listOwnHealthReads } from '../contract-own.ts'
import { countHealthReads, countOwnHealthReads, listHealthReads, ownHealthReads } from './access-log.ts'
import { countHealthUpdates, listHealthUpdates, markHealthUpdateSent } from './health-updates.ts'
import { emergencyContactOf, memberHealthFor, questionnaireOf } from './queries.ts'
import { saveEmergencyContact, savePaperForm, saveQuestionnaire } from './save-answers.ts'
import type { HealthVault } from './vault.ts'

export function healthRoutes(http: Http, deps: { database: Database; vault: HealthVault; clock: Clock }): void {
  const { database, vault, clock } = deps

  serve(http, contract.getQuestionnaire, ({ user }) => questionnaireOf(database.db, vault, user.id))

  serve(http, contract.saveQuestionnaire, ({ user, body }) =>
    database.transaction((tx) => saveQuestionnaire(tx, vault, user, body, clock.now())),
  )

  serve(http, contract.getEmergencyContact, ({ user }) => emergencyContactOf(database.db, vault, user.id))

  serve(http, contract.saveEmergencyContact, ({ user, body }) =>
    database.transaction((tx) => saveEmergencyContact(tx, vault, user, body, clock.now())),
  )

  serve(http, contract.listHealthUpdates, async ({ user, query, reply }) => {
    if (query.limit !== undefined) sendTotal(reply, await countHealthUpdates(database.db, query))
    return await database.transaction((tx) => listHealthUpdates(tx, vault, user, query, clock.now()))
  })

  serve(http, contract.markHealthUpdateSent, ({ user, params }) =>
    database.transaction((tx) => markHealthUpdateSent(tx, vault, user, params.id, clock.now())),
  )

  serve(http, contract.getMemberHealth, ({ user, params }) =>
    database.transaction((tx) => memberHealthFor(tx, vault, user, params.id, clock.now())),
  )

  serve(http, contract.savePaperForm, async ({ user, params, body }) => {
    await database.transaction((tx) => savePaperForm(tx, vault, user, { userId: params.id, ...body }, clock.now()))
    return { message: 'Health form saved' }
  })

  serve(http, contract.listHealthReads, async ({ query, reply }) => {
    if (query.limit !== undefined) sendTotal(reply, await countHealthReads(database.db, query))
    return await listHealthReads(database.db, query)
  })

  serve(http, listOwnHealthReads, async ({ user, query, reply }) => {
    if (query.limit !== undefined) sendTotal(reply, await countOwnHealthReads(database.db, user.id, query.offset))
    return await ownHealthReads(database.db, user.id, query)
  })
}
