import { type Http, sendPage, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import type { Vault } from '#platform/vault/vault.ts'
import * as contract from '../contract.ts'
import { listOwnHealthReads } from '../contract-own.ts'
import { countHealthReads, countOwnHealthReads, listHealthReads, ownHealthReads } from './access-log.ts'
import { countHealthUpdates, listHealthUpdates, markHealthUpdateSent } from './health-updates.ts'
import { emergencyContactOf, memberHealthFor, questionnaireOf } from './queries.ts'
import { saveEmergencyContact, savePaperForm, saveQuestionnaire } from './save-answers.ts'

export function healthRoutes(http: Http, { vault }: { vault: Vault }): void {
  serve(http, contract.getQuestionnaire, ({ db, user }) => questionnaireOf(db, vault, user.id))

  write(http, contract.saveQuestionnaire, ({ tx, now, user, body }) => saveQuestionnaire(tx, vault, user, body, now))

  serve(http, contract.getEmergencyContact, ({ db, user }) => emergencyContactOf(db, vault, user.id))

  write(http, contract.saveEmergencyContact, ({ tx, now, user, body }) =>
    saveEmergencyContact(tx, vault, user, body, now),
  )

  write(http, contract.listHealthUpdates, async ({ tx, now, user, query, reply }) => {
    const rows = listHealthUpdates(tx, vault, user, query, now)
    return await sendPage(reply, query, () => countHealthUpdates(tx, query), rows)
  })

  write(http, contract.markHealthUpdateSent, ({ tx, now, user, params, body }) =>
    markHealthUpdateSent(tx, vault, user, { ...params, ...body }, now),
  )

  write(http, contract.getMemberHealth, ({ tx, now, user, params }) => memberHealthFor(tx, vault, user, params.id, now))

  write(http, contract.savePaperForm, async ({ tx, now, user, params, body }) => {
    await savePaperForm(tx, vault, user, { userId: params.id, ...body }, now)
    return { message: 'Health form saved' }
  })

  serve(http, contract.listHealthReads, async ({ db, query, reply }) => {
    return await sendPage(reply, query, () => countHealthReads(db, query), listHealthReads(db, query))
  })

  serve(http, listOwnHealthReads, async ({ db, user, query, reply }) => {
    const count = () => countOwnHealthReads(db, user.id, query.offset)
    return await sendPage(reply, query, count, ownHealthReads(db, user.id, query))
  })
}
