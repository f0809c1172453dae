import { studioDate } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { publicFacts, vatOn } from '../rules.ts'
import { editFacts } from './edit-facts.ts'
import { currentFacts, type FactsVersion, factsBefore, isConfirmed, latestFacts } from './facts.ts'

export function factsRoutes(http: Http, { mode }: { mode: 'demo' | 'live' }): void {
  serve(http, contract.readStudio, async ({ db, now }) =>
    publicFacts(await currentFacts(db), studioDate(now).toString(), await isConfirmed(db, mode)),
  )
  serve(http, contract.readOwnStudio, async ({ db, now }) => toOwn(await latestFacts(db), now))
  serve(http, contract.readStudioBefore, async ({ db, now, params }) =>
    toOwn((await factsBefore(db, params.id)) ?? refuse(contract.factsRefusals.version_not_found), now),
  )
  write(http, contract.editStudio, async ({ tx, now, user, body }) => toOwn(await editFacts(tx, user, body, now), now))
}

const toOwn = ({ facts, version, changedAt }: FactsVersion, now: Temporal.Instant) => ({
  ...facts,
  vat: vatOn(facts.vatPeriods, studioDate(now).toString()),
  version,
  changedAt,
})
