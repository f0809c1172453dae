import { type Clock, studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Database } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { publicFacts, vatOn } from '../rules.ts'
import { editFacts } from './edit-facts.ts'
import { currentFacts, type FactsVersion, factsBefore, isConfirmed, latestFacts } from './facts.ts'

export function factsRoutes(
  http: Http,
  { database, clock, mode }: { database: Database; clock: Clock; mode: 'demo' | 'live' },
): void {
  serve(http, contract.readStudio, async () =>
    publicFacts(
      await currentFacts(database.db),
      studioDate(clock.now()).toString(),
      await isConfirmed(database.db, mode),
    ),
  )
  serve(http, contract.readOwnStudio, async () => toOwn(await latestFacts(database.db), clock.now()))
  serve(http, contract.readStudioBefore, async ({ params }) =>
    toOwn((await factsBefore(database.db, params.id)) ?? refuse(contract.factsRefusals.version_not_found), clock.now()),
  )
  serve(http, contract.editStudio, async ({ user, body }) =>
    toOwn(await database.transaction((tx) => editFacts(tx, user, body, clock.now())), clock.now()),
  )
}

const toOwn = ({ facts, version, changedAt }: FactsVersion, now: Temporal.Instant) => ({
  ...facts,
  vat: vatOn(facts.vatPeriods, studioDate(now).toString()),
  version,
  changedAt: changedAt?.toString() ?? null,
})
