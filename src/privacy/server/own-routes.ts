import type { Clock } from '#foundation/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as complaints from '../contract-complaints.ts'
import * as own from '../contract-own.ts'
import { consentsOf, withdrawHealthConsent } from './consents.ts'
import { answerDataComplaint, dataComplaintsFor, dataComplaintsOf, makeDataComplaint } from './data-complaints.ts'
import { keptUntil } from './kept-until.ts'

/** What members see and decide about the data that the studio keeps of them, and what the studio answers. */
export function ownDataRoutes(http: Http, deps: { database: Database; clock: Clock }): void {
  const { database, clock } = deps
  const { db, transaction } = database

  serve(http, own.getKeptUntil, ({ user }) => keptUntil(db, user.id, clock.now()))
  serve(http, own.getConsents, ({ user }) => consentsOf(db, user))
  serve(http, own.withdrawHealthConsent, async ({ user }) => {
    await transaction((tx) => withdrawHealthConsent(tx, user.id, clock.now()))
    return { message: 'Your health information has been erased.' }
  })

  serveOnce(http, complaints.makeDataComplaint, deps, (tx, { user, body }) =>
    makeDataComplaint(tx, user, body.complaint, clock.now()),
  )
  serve(http, complaints.listOwnDataComplaints, ({ user }) => dataComplaintsOf(db, user.id))
  serve(http, complaints.listDataComplaints, ({ params }) => dataComplaintsFor(db, params.id))
  serve(http, complaints.answerDataComplaint, ({ user, params, body }) =>
    transaction((tx) => answerDataComplaint(tx, user, { id: params.id, answer: body.answer }, clock.now())),
  )
}
