import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, sendPage, serve } from '#platform/http/serve.ts'
import type { Vault } from '#platform/vault/vault.ts'
import * as contract from '../contract.ts'
import { listOwnHealthReads } from '../contract-own.ts'
import { countHealthReads, countOwnHealthReads, listHealthReads, ownHealthReads } from './access-log.ts'
import { countHealthUpdates, listHealthUpdates, markHealthUpdateSent } from './health-updates.ts'
import { emergencyContactOf, memberHealthFor, questionnaireOf } from './queries.ts'
import { saveEmergencyContact, savePaperForm, saveQuestionnaire } from './save-answers.ts'

export function healthRoutes(http: Http, deps: { database: Database; vault: Vault; clock: Clock }): void {
  const { database, vault, clock } = deps
  const { db } = database

  serve(http, contract.getQuestionnaire, ({ user }) => questionnaireOf(db, vault, user.id))

  serve(http, contract.saveQuestionnaire, ({ user, body }) =>
    database.transaction((tx) => saveQuestionnaire(tx, vault, user, body, clock.now())),
  )

  serve(http, contract.getEmergencyContact, ({ user }) => emergencyContactOf(db, vault, user.id))

  serve(http, contract.saveEmergencyContact, ({ user, body }) =>
    database.transaction((tx) => saveEmergencyContact(tx, vault, user, body, clock.now())),
  )

  serve(http, contract.listHealthUpdates, async ({ user, query, reply }) => {
    const rows = database.transaction((tx) => listHealthUpdates(tx, vault, user, query, clock.now()))
    return await sendPage(reply, query, () => countHealthUpdates(db, query), rows)
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
    return await sendPage(reply, query, () => countHealthReads(db, query), listHealthReads(db, query))
  })

  serve(http, listOwnHealthReads, async ({ user, query, reply }) => {
    const count = () => countOwnHealthReads(db, user.id, query.offset)
    return await sendPage(reply, query, count, ownHealthReads(db, user.id, query))
  })
}
