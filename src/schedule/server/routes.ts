import { type Http, serve } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
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

export function scheduleRoutes(http: Http, { site }: { site: (path: string) => string }): void {
  write(http, classes.editClass, ({ tx, now, user, params: { id }, body }) => editClass(tx, user, id, body, now))
  write(http, classes.deleteClass, async ({ tx, now, user, params: { id }, body }) => {
    const undo = await deleteClass(tx, user, id, body, now)
    return { message: 'Class deleted successfully', undo }
  })
  serve(http, classes.listUndoable, ({ db, now }) => findUndoable(db, now))
  write(http, classes.undoCancellation, ({ tx, now, user, params: { id } }) => undoCancellation(tx, user, id, now))

  serve(http, pauses.previewPause, ({ db, now, params, query }) => previewPause(db, params.id, query, now))
  write(http, pauses.pausePass, ({ tx, now, user, params: { id }, body }) => pausePass(tx, user, id, body, now))

  serve(http, closures.previewClosure, ({ db, now, query }) => previewClosing(db, query, now))
  write(http, closures.closeDays, ({ tx, now, user, body }) => closeDays(tx, user, body, now))
  write(http, closures.openDays, ({ tx, now, user, params: { id } }) => openDays(tx, user, id, now))

  serve(http, emails.previewEmails, ({ now, user, body }) =>
    previewEmails(http.database, user, body, { now: now, site }),
  )

  write(http, several.takeOffClassesInBulk, ({ tx, now, user, body }) =>
    takeOffClassesInBulk(tx, user, body.classIds, now),
  )
  write(http, several.shiftClassesInBulk, ({ tx, now, user, body }) => shiftClassesInBulk(tx, user, body, now))
  write(http, several.giveClassesInBulk, ({ tx, now, user, body }) => giveClassesInBulk(tx, user, body, now))
  serve(http, several.previewCopyWeek, async ({ db, now, body }) => {
    const { wanted, ...left } = await copiesOfWeek(db, body, now)
    return { classes: wanted.length, ...left }
  })
  write(http, several.copyWeek, ({ tx, now, user, body }) => copyWeek(tx, user, body, now))
  write(http, several.extendSeries, ({ tx, now, user, params: { id }, body }) => extendSeries(tx, user, id, body, now))
}
