import { type Clock, today } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { createClass, listClasses, listClosures, timetableRefusals } from '../contract.ts'
import * as term from '../contract-term.ts'
import { bankHolidaysBetween } from './bank-holidays.ts'
import { closuresIn, toClosure } from './closures.ts'
import { createClasses, recordCreatedClasses } from './create-classes.ts'
import { planTerm, previewTerm } from './plan-term.ts'
import { classListBetween, findClass, toStudioClass } from './queries.ts'

/** @param deps.bookForRegulars books new classes for members with a regular booking, before anyone else can */
export function timetableRoutes(
  http: Http,
  {
    database,
    clock,
    bookForRegulars,
  }: {
    database: Database
    clock: Clock
    bookForRegulars: (tx: Tx, classIds: readonly number[], now: Temporal.Instant) => Promise<void>
  },
): void {
  serve(http, listClasses, async ({ user, query }) => {
    return await classListBetween(database.db, query, { inactiveToo: user?.isAdmin ?? false })
  })

  serve(http, listClosures, async () => (await closuresIn(database.db, { from: today(clock.now()) })).map(toClosure))

  serve(http, createClass, async ({ user, body }) =>
    database.transaction(async (tx) => {
      const made = await createClasses(tx, body, clock.now())
      await recordCreatedClasses(tx, user, made, clock.now())
      await bookForRegulars(
        tx,
        made.map(({ id }) => id),
        clock.now(),
      )
      const row = made[0] && (await findClass(tx, made[0].id))
      return toStudioClass(row ?? refuse(timetableRefusals.class_not_found))
    }),
  )

  serve(http, term.listBankHolidays, async ({ query }) => bankHolidaysBetween(query))
  serve(http, term.previewTerm, ({ body }) => previewTerm(database.db, body, clock.now()))
  serveOnce(http, term.planTerm, { database, clock }, async (tx, { user, body }) => {
    const { classIds, ...planned } = await planTerm(tx, user, body, clock.now())
    await bookForRegulars(tx, classIds, clock.now())
    return planned
  })
}
