import type { Clock } from '../../foundation/clock.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import { createClass, listClasses, timetableRefusals } from '../contract.ts'
import { createClasses } from './create-classes.ts'
import { classesBetween, findClass, toStudioClass } from './queries.ts'

export function timetableRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, listClasses, async ({ user, query }) => {
    const rows = await classesBetween(database.db, query, { inactiveToo: user?.isAdmin ?? false })
    return rows.map(toStudioClass)
  })

  serve(http, createClass, async ({ body }) =>
    database.transaction(async (tx) => {
      const [first] = await createClasses(tx, body, clock.now())
      const row = first && (await findClass(tx, first.id))
      return toStudioClass(row ?? refuse(timetableRefusals.class_not_found))
    }),
  )
}
