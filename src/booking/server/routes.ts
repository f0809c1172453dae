import type { Clock } from '../../foundation/clock.ts'
import type { Database } from '../../server/database/database.ts'
import { type Http, serve } from '../../server/http/serve.ts'
import * as contract from '../contract.ts'
import { bookClass } from './book-class.ts'
import { cancelBooking } from './cancel-booking.ts'
import { deleteClass, editClass } from './change-class.ts'
import { allBookings, bookingsOf, toBooking, upcomingBookingsOf } from './queries.ts'
import { rescheduleBooking } from './reschedule-booking.ts'
import { joinWaitingList, leaveWaitingList } from './waiting-list.ts'
import { toWaitingEntry, waitsOf } from './waiting-queries.ts'

export function bookingRoutes(http: Http, { database, clock }: { database: Database; clock: Clock }): void {
  serve(http, contract.bookClass, async ({ user, body }) =>
    database.transaction((tx) => bookClass(tx, user, body, clock.now())),
  )
  serve(http, contract.cancelBooking, async ({ user, params }) =>
    database.transaction((tx) => cancelBooking(tx, user, params.id, clock.now())),
  )
  serve(http, contract.rescheduleBooking, async ({ user, params, body }) =>
    database.transaction((tx) => rescheduleBooking(tx, user, params.id, body.classId, clock.now())),
  )
  serve(http, contract.joinWaitingList, async ({ user, params }) =>
    database.transaction((tx) => joinWaitingList(tx, user, params.id, clock.now())),
  )
  serve(http, contract.leaveWaitingList, async ({ user, params }) => {
    await database.transaction((tx) => leaveWaitingList(tx, user, params.id))
    return { message: 'You have left the waiting list.' }
  })
  serve(http, contract.listWaiting, async ({ user }) =>
    (await waitsOf(database.db, user.id, clock.now())).map(toWaitingEntry),
  )
  serve(http, contract.listBookings, async ({ user }) => (await bookingsOf(database.db, user.id)).map(toBooking))
  serve(http, contract.listUpcomingBookings, async ({ user }) =>
    (await upcomingBookingsOf(database.db, user.id, clock.now())).map(toBooking),
  )
  serve(http, contract.listAllBookings, async ({ query }) => (await allBookings(database.db, query)).map(toBooking))
  serve(http, contract.editClass, async ({ user, params, body }) =>
    database.transaction((tx) => editClass(tx, user, params.id, body, clock.now())),
  )
  serve(http, contract.deleteClass, async ({ user, params, body }) => {
    await database.transaction((tx) => deleteClass(tx, user, params.id, body, clock.now()))
    return { message: 'Class deleted successfully' }
  })
}
