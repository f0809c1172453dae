import type { Clock } from '#foundation/instants.ts'
import type { Database, Tx } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import { copiesOfWeek } from '#timetable/server/timetable.ts'
import * as classes from '../contract.ts'
import * as several from '../contract-bulk.ts'
import * as closures from '../contract-closures.ts'
import * as emails from '../contract-emails.ts'
import * as pauses from '../contract-pauses.ts'
import { deleteClass, editClass } from './change-class.ts'
import { closeDays, openDays, previewClosing } from './close-days.ts'
import { pausePass, previewPause } from './pause-pass.ts'
import { previewEmails } from './preview-emails.ts'
import {
  copyWeek,
  extendSeries,
  giveClassesInBulk,
  shiftClassesInBulk,
  takeOffClassesInBulk,
} from './several-classes.ts'
import { findUndoable } from './studio-cancellations.ts'
import { undoCancellation } from './undo-cancellation.ts'

export function scheduleRoutes(
  http: Http,
  deps: { database: Database; clock: Clock; site: (path: string) => string },
): void {
  const { database, clock, site } = deps
  const { db } = database
  const run = <Result>(work: (tx: Tx, now: Temporal.Instant) => Promise<Result>) =>
    database.transaction((tx) => work(tx, clock.now()))

  serve(http, classes.editClass, ({ user, params: { id }, body }) =>
    run((tx, now) => editClass(tx, user, id, body, now)),
  )
  serve(http, classes.deleteClass, async ({ user, params: { id }, body }) => {
    const undo = await run((tx, now) => deleteClass(tx, user, id, body, now))
    return { message: 'Class deleted successfully', undo }
  })
  serve(http, classes.listUndoable, () => findUndoable(db, clock.now()))
  serve(http, classes.undoCancellation, ({ user, params: { id } }) =>
    run((tx, now) => undoCancellation(tx, user, id, now)),
  )

  serve(http, pauses.previewPause, ({ params, query }) => previewPause(db, params.id, query, clock.now()))
  serve(http, pauses.pausePass, ({ user, params: { id }, body }) =>
    run((tx, now) => pausePass(tx, user, id, body, now)),
  )

  serve(http, closures.previewClosure, ({ query }) => previewClosing(db, query, clock.now()))
  serveOnce(http, closures.closeDays, deps, (tx, { user, body }) => closeDays(tx, user, body, clock.now()))
  serve(http, closures.openDays, ({ user, params: { id } }) => run((tx, now) => openDays(tx, user, id, now)))

  serve(http, emails.previewEmails, ({ user, body }) => previewEmails(database, user, body, { now: clock.now(), site }))

  serve(http, several.takeOffClassesInBulk, ({ user, body }) =>
    run((tx, now) => takeOffClassesInBulk(tx, user, body.classIds, now)),
  )
  serveOnce(http, several.shiftClassesInBulk, deps, (tx, { user, body }) =>
    shiftClassesInBulk(tx, user, body, clock.now()),
  )
  serveOnce(http, several.giveClassesInBulk, deps, (tx, { user, body }) =>
    giveClassesInBulk(tx, user, body, clock.now()),
  )
  serve(http, several.previewCopyWeek, async ({ body }) => {
    const { wanted, ...left } = await copiesOfWeek(db, body, clock.now())
    return { classes: wanted.length, ...left }
  })
  serveOnce(http, several.copyWeek, deps, (tx, { user, body }) => copyWeek(tx, user, body, clock.now()))
  serve(http, several.extendSeries, ({ user, params: { id }, body }) =>
    run((tx, now) => extendSeries(tx, user, id, body, now)),
  )
}
