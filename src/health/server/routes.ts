import type { Clock } from '../../foundation/clock.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { listHealthUpdates, markHealthUpdateSent } from './health-updates.ts'
import { emergencyContactOf, questionnaireOf } from './queries.ts'
import { saveEmergencyContact } from './save-emergency-contact.ts'
import { saveQuestionnaire } from './save-questionnaire.ts'
import type { HealthVault } from './vault.ts'

/** Serves health. A member reaches only their own: no path here names another's. */
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

  serve(http, contract.listHealthUpdates, ({ user, query }) =>
    database.transaction((tx) => listHealthUpdates(tx, vault, user, query, clock.now())),
  )

  serve(http, contract.markHealthUpdateSent, ({ user, params }) =>
    database.transaction((tx) => markHealthUpdateSent(tx, vault, user, params.id, clock.now())),
  )
}
