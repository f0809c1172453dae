import type { Clock } from '#foundation/instants.ts'
import type { HealthVault } from '#health/server/health.ts'
import type { Database, Db, Tx } from '#platform/database/database.ts'
import { serveOnce } from '#platform/http/idempotency.ts'
import { type Http, sendTotal, serve, serveFile } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import * as block from '../contract-block.ts'
import * as classes from '../contract-classes.ts'
import * as closures from '../contract-closures.ts'
import * as several from '../contract-several.ts'
import * as waiting from '../contract-waiting.ts'
import { bookClass } from './book-class.ts'
import { bookingsFile, calendarOfBooking } from './bookings-file.ts'
import { cancelBooking, cancelForMember, returnForfeitedCredit } from './cancel-booking.ts'
import { deleteClass, editClass } from './change-class.ts'
import { classForAdmin, sessionsBetween } from './class-for-admin.ts'
import { closeDays, openDays, previewClosing } from './close-days.ts'
import { markAttendance } from './mark-attendance.ts'
import { allBookings, bookingsOf, countBookings, toBooking, upcomingBookingsOf } from './queries.ts'
import { moveForMember, rescheduleBooking } from './reschedule-booking.ts'
import { copyWeek, extendSeries, peopleBetween, shiftSeveral, takeOffSeveral } from './several-classes.ts'
import { undoableNow } from './studio-cancellations.ts'
import { undoCancellation } from './undo-cancellation.ts'
import { blockMember, joinWaitingList, leaveWaitingList, unblockMember } from './waiting-list.ts'
import { toWaitingEntry, waitsOf } from './waiting-queries.ts'

/** @param deps.requestToBegin records the member's request, which comes with a booking, for the purchase that paid */
export function bookingRoutes(
  http: Http,
  deps: {
    database: Database
    exports: Db
    vault: HealthVault
    clock: Clock
    site: (path: string) => string
    requestToBegin: (
      tx: Tx,
      request: { userId: string; purchaseId: number; bookingId: number },
      now: Temporal.Instant,
    ) => Promise<void>
  },
): void {
  const { database, exports, vault, clock, site } = deps
  serve(http, contract.bookClass, async ({ user, body }) =>
    database.transaction(async (tx) => {
      const now = clock.now()
      const booking = await bookClass(tx, user, body, now)
      if (body.beginRequest) {
        const { purchaseId } = body.beginRequest
        await deps.requestToBegin(tx, { userId: user.id, purchaseId, bookingId: booking.id }, now)
      }
      return booking
    }),
  )
  serve(http, contract.cancelBooking, async ({ user, params }) =>
    database.transaction((tx) => cancelBooking(tx, user, params.id, clock.now())),
  )
  serve(http, contract.rescheduleBooking, async ({ user, params, body }) =>
    database.transaction((tx) => rescheduleBooking(tx, user, params.id, body.classId, clock.now())),
  )
  serve(http, waiting.joinWaitingList, async ({ user, params }) =>
    database.transaction((tx) => joinWaitingList(tx, user, params.id, clock.now())),
  )
  serve(http, waiting.leaveWaitingList, async ({ user, params }) => {
    await database.transaction((tx) => leaveWaitingList(tx, user, params.id))
    return { message: 'You have left the waiting list.' }
  })
  serve(http, waiting.listWaiting, async ({ user }) =>
    (await waitsOf(database.db, user.id, clock.now())).map(toWaitingEntry),
  )
  serve(http, classes.getClassForAdmin, async ({ params }) => classForAdmin(database.db, params.id, clock.now()))
  serveFile(http, contract.bookingCalendar, async ({ user, params }) =>
    calendarOfBooking(database.db, user, params.id, site),
  )
  serve(http, contract.listBookings, async ({ user }) => (await bookingsOf(database.db, user.id)).map(toBooking))
  serve(http, contract.listUpcomingBookings, async ({ user }) =>
    (await upcomingBookingsOf(database.db, user.id, clock.now())).map(toBooking),
  )
  serve(http, contract.listAllBookings, async ({ query, reply }) => {
    if (query.limit !== undefined) sendTotal(reply, await countBookings(database.db, query))
    return (await allBookings(database.db, query)).map(toBooking)
  })
  serveFile(http, contract.exportBookings, async ({ query }) => bookingsFile(exports, query))
  serve(http, classes.listSessions, async ({ user, query }) =>
    database.transaction((tx) => sessionsBetween(tx, vault, user, query, clock.now())),
  )
  serve(http, contract.markAttendance, async ({ user, params, body }) =>
    database.transaction((tx) => markAttendance(tx, user, params.id, body.status, clock.now())),
  )
  serve(http, contract.moveForMember, async ({ user, params, body }) =>
    database.transaction((tx) => moveForMember(tx, user, params.id, body.classId, clock.now())),
  )
  serve(http, contract.cancelForMember, async ({ user, params, body }) =>
    database.transaction((tx) => cancelForMember(tx, user, params.id, body, clock.now())),
  )
  serve(http, contract.returnForfeitedCredit, async ({ user, params, body }) =>
    database.transaction((tx) => returnForfeitedCredit(tx, user, params.id, body.reason, clock.now())),
  )
  serve(http, block.blockMember, async ({ user, params, body }) => {
    const { reason } = body
    await database.transaction((tx) => blockMember(tx, user, { userId: params.id, reason }, clock.now()))
    return { message: 'Member blocked' }
  })
  serve(http, block.unblockMember, async ({ user, params }) => {
    await database.transaction((tx) => unblockMember(tx, user, params.id, clock.now()))
    return { message: 'Member unblocked' }
  })
  serve(http, closures.previewClosure, async ({ query }) => previewClosing(database.db, query, clock.now()))
  serveOnce(http, closures.closeDays, deps, (tx, { user, body }) => closeDays(tx, user, body, clock.now()))
  serve(http, closures.openDays, async ({ user, params }) =>
    database.transaction((tx) => openDays(tx, user, params.id, clock.now())),
  )
  serve(http, several.listClassPeople, async ({ query }) => peopleBetween(database.db, query))
  serve(http, several.takeOffSeveral, async ({ user, body }) =>
    database.transaction((tx) => takeOffSeveral(tx, user, body.classIds, clock.now())),
  )
  serveOnce(http, several.shiftSeveral, deps, (tx, { user, body }) => shiftSeveral(tx, user, body, clock.now()))
  serveOnce(http, several.copyWeek, deps, (tx, { user, body }) => copyWeek(tx, user, body, clock.now()))
  serve(http, several.extendSeries, async ({ user, params, body }) =>
    database.transaction((tx) => extendSeries(tx, user, params.id, body, clock.now())),
  )
  serve(http, classes.editClass, async ({ user, params, body }) =>
    database.transaction((tx) => editClass(tx, user, params.id, body, clock.now())),
  )
  serve(http, classes.deleteClass, async ({ user, params, body }) => {
    const undo = await database.transaction((tx) => deleteClass(tx, user, params.id, body, clock.now()))
    return { message: 'Class deleted successfully', undo }
  })
  serve(http, classes.listUndoable, async () => undoableNow(database.db, clock.now()))
  serve(http, classes.undoCancellation, async ({ user, params }) =>
    database.transaction((tx) => undoCancellation(tx, user, params.id, clock.now())),
  )
}
