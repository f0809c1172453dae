import { today } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import { createClass, listClasses, listClosures, timetableRefusals } from '../contract.ts'
import * as term from '../contract-term.ts'
import { bankHolidaysBetween } from './bank-holidays.ts'
import { closuresIn } from './closures.ts'
import { createClasses, recordCreatedClasses } from './create-classes.ts'
import { planTerm, previewTerm } from './plan-term.ts'
import { classListBetween, findClass, toStudioClass } from './queries.ts'

/** @param deps.bookForRegulars books new classes for members with a regular booking, before anyone else can */
export function timetableRoutes(
  http: Http,
  {
    bookForRegulars,
  }: {
    bookForRegulars: (tx: Tx, classIds: readonly number[], now: Temporal.Instant) => Promise<void>
  },
): void {
  serve(http, listClasses, async ({ db, user, query }) => {
    return await classListBetween(db, query, { inactiveToo: user?.isAdmin ?? false })
  })

  serve(http, listClosures, async ({ db, now }) => closuresIn(db, { from: today(now) }))

  write(http, createClass, async ({ tx, now, user, body }) => {
    const made = await createClasses(tx, body, now)
    await recordCreatedClasses(tx, user, made, now)
    await bookForRegulars(
      tx,
      made.map(({ id }) => id),
      now,
    )
    const row = made[0] && (await findClass(tx, made[0].id))
    return toStudioClass(row ?? refuse(timetableRefusals.class_not_found))
  })

  serve(http, term.listBankHolidays, async ({ query }) => bankHolidaysBetween(query))
  serve(http, term.previewTerm, ({ db, now, body }) => previewTerm(db, body, now))
  write(http, term.planTerm, async ({ tx, now, user, body }) => {
    const { classIds, ...planned } = await planTerm(tx, user, body, now)
    await bookForRegulars(tx, classIds, now)
    return planned
  })
}
