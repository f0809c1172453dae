import { accountRefusals } from '#accounts/contract.ts'
import {
  findUser,
  hashPassword,
  type PasswordCost,
  queueForHashing,
  refuseCommonPassword,
  type SessionCookies,
  throttles,
  toUser,
} from '#accounts/server/accounts.ts'
import type { Clock } from '#foundation/instants.ts'
import { refuse } from '#foundation/refusal.ts'
import { linkIdOfInvitation, type TokenOf } from '#messages/server/messages.ts'
import type { Database, Reader, Tx } from '#platform/database/database.ts'
import { type Http, sendPage, serve, serveFile } from '#platform/http/serve.ts'
import type { Vault } from '#platform/vault/vault.ts'
import * as contract from '../contract.ts'
import * as classes from '../contract-classes.ts'
import * as companions from '../contract-companions.ts'
import * as day from '../contract-day.ts'
import * as regular from '../contract-regular.ts'
import * as waiting from '../contract-waiting.ts'
import { blockMember, unblockMember } from './block-member.ts'
import { allBookings, countBookings } from './bookings/all-bookings.ts'
import { bookingsFile, calendarOfBooking } from './bookings/bookings-file.ts'
import { cancelBooking, cancelForMember, returnForfeitedCredit } from './bookings/cancel-booking.ts'
import { classForAdmin, findPeopleBetween, sessionsBetween } from './bookings/class-for-admin.ts'
import { dayFor, dayHealthFor, listSessionNotes, markDayAttendance, writeSessionNote } from './bookings/day.ts'
import { markAttendance } from './bookings/mark-attendance.ts'
import { moveForMember, rescheduleBooking } from './bookings/reschedule-booking.ts'
import { undoCancel } from './bookings/undo-cancel.ts'
import {
  acceptInvitation,
  confirmHeldPlace,
  declineInvitation,
  endHeldPlace,
  readInvitation,
  signUpInvited,
} from './companions/answer-invitation.ts'
import { paidPlacesOf, selectHeld, toHeldPlace } from './companions/held-places.ts'
import { addCompanion, bookForTwo, cancelCompanion } from './companions/invite-companion.ts'
import { bookingsOf, toBooking, upcomingBookingsOf } from './places/queries.ts'
import {
  endRegularBooking,
  endRegularBookingFor,
  setRegularBooking,
  setRegularBookingFor,
  skipRegularDate,
} from './regular/regular-bookings.ts'
import { regularBookingsOf, regularHolders } from './regular/regular-queries.ts'
import {
  confirmPlace,
  declineOffer,
  joinForMember,
  joinWaitingList,
  leaveForMember,
  leaveWaitingList,
} from './waiting/waiting-list.ts'
import { toWaitingEntry, waitingListsOf } from './waiting/waiting-queries.ts'

/** @param deps.requestBeginForPlaces records the request to start early, for the purchases that pay for the places */
export function bookingRoutes(
  http: Http,
  deps: {
    database: Database
    exports: Reader
    vault: Vault
    clock: Clock
    site: (path: string) => string
    cookies: SessionCookies
    mode: 'demo' | 'live'
    passwordCost: PasswordCost
    tokenOf: TokenOf
    requestBeginForPlaces: (
      tx: Tx,
      places: { userId: string; request: contract.BeginRequest | null | undefined; bookingIds: readonly number[] },
      now: Temporal.Instant,
    ) => Promise<void>
  },
): void {
  const { database, exports, vault, clock, site, tokenOf } = deps
  const throttle = throttles(database.limited, deps.mode)
  const { db } = database
  const run = <Result>(work: (tx: Tx, now: Temporal.Instant) => Promise<Result>) =>
    database.transaction((tx) => work(tx, clock.now()))

  serve(http, contract.bookClass, ({ user, body }) =>
    run(async (tx, now) => {
      const booking = await bookForTwo(tx, user, body, now)
      const places = { userId: user.id, request: body.beginRequest, bookingIds: [booking.id] }
      await deps.requestBeginForPlaces(tx, places, now)
      return booking
    }),
  )
  serve(http, companions.addCompanion, ({ user, params: { id }, body }) =>
    run(async (tx, now) => {
      const booking = await addCompanion(tx, user, id, body, now)
      const places = { userId: user.id, request: body.beginRequest, bookingIds: [id] }
      await deps.requestBeginForPlaces(tx, places, now)
      return booking
    }),
  )
  serve(http, companions.cancelCompanion, ({ user, params: { id } }) =>
    run((tx, now) => cancelCompanion(tx, user, id, now)),
  )
  serve(http, companions.listPaidPlaces, ({ user }) => paidPlacesOf(db, user.id, clock.now()))
  serve(http, companions.listHeldPlaces, async () => (await selectHeld(db, undefined)).map(toHeldPlace))
  serve(http, companions.confirmHeldPlace, ({ user, params: { id } }) =>
    run((tx, now) => confirmHeldPlace(tx, user, id, { tokenOf, now })),
  )
  serve(http, companions.endHeldPlace, async ({ user, params: { id } }) => {
    await run((tx, now) => endHeldPlace(tx, user, id, now))
    return { message: 'The place is free again' }
  })
  const linkIn = (body: { token: string }) => linkIdOfInvitation(body.token, tokenOf)
  serve(http, companions.readInvitation, ({ body }) => readInvitation(db, linkIn(body), clock.now()))
  serve(http, companions.acceptInvitation, ({ user, body }) =>
    run((tx, now) => acceptInvitation(tx, user, linkIn(body), now)),
  )
  serve(http, companions.declineInvitation, async ({ body }) => {
    await run((tx, now) => declineInvitation(tx, linkIn(body), body, now))
    return { message: body.never ? 'Declined. We will not invite you again.' : 'Declined. We’ll let them know.' }
  })
  serve(http, companions.signUpInvited, async ({ body, request, reply }) => {
    await throttle.countMail(request.ip)
    await refuseCommonPassword(db, body.password, deps.mode)
    const passwordHash = await queueForHashing(() => hashPassword(body.password, deps.passwordCost))
    const { user, session } = await run(async (tx, now) => {
      const { firstName, lastName } = body
      const registered = await signUpInvited(tx, linkIn(body), { firstName, lastName, passwordHash }, now)
      return { user: registered, session: await deps.cookies.renew(tx, request, registered.id, 'sign_up') }
    })
    deps.cookies.set(request, reply, session)
    return toUser(user)
  })
  serve(http, contract.cancelBooking, ({ user, params: { id } }) => run((tx, now) => cancelBooking(tx, user, id, now)))
  serve(http, contract.undoCancel, ({ user, params: { id } }) => run((tx, now) => undoCancel(tx, user, id, now)))
  serve(http, contract.rescheduleBooking, ({ user, params: { id }, body }) =>
    run((tx, now) => rescheduleBooking(tx, user, id, body.classId, now)),
  )
  serve(http, waiting.joinWaitingList, ({ user, params: { id } }) =>
    run((tx, now) => joinWaitingList(tx, user, id, now)),
  )
  serve(http, waiting.leaveWaitingList, async ({ user, params }) => {
    await run((tx, now) => leaveWaitingList(tx, user, params.id, now))
    return { message: 'You have left the waiting list.' }
  })
  serve(http, waiting.declineOffer, async ({ user, params }) => {
    await run((tx, now) => declineOffer(tx, user, params.id, now))
    return { message: 'Declined. You keep your place on the waiting list.' }
  })
  serve(http, waiting.joinForMember, ({ user, params, body }) =>
    run((tx, now) => joinForMember(tx, user, { classId: params.id, userId: body.userId }, now)),
  )
  serve(http, waiting.confirmPlace, async ({ user, params: { id: classId, userId } }) => {
    await run((tx, now) => confirmPlace(tx, user, { classId, userId }, now))
    return { message: 'Booked' }
  })
  serve(http, waiting.leaveForMember, async ({ user, params: { id: classId, userId } }) => {
    await run((tx, now) => leaveForMember(tx, user, { classId, userId }, now))
    return { message: 'Taken off the waiting list' }
  })
  serve(http, waiting.listWaiting, async ({ user }) =>
    (await waitingListsOf(db, user.id, clock.now())).map(toWaitingEntry),
  )
  serve(http, regular.setRegularBooking, ({ user, body }) =>
    run(async (tx, now) => {
      const made = await setRegularBooking(tx, user, body, now)
      const bookingIds = made.booked.map(({ id }) => id)
      await deps.requestBeginForPlaces(tx, { userId: user.id, request: body.beginRequest, bookingIds }, now)
      return made
    }),
  )
  serve(http, regular.listRegularBookings, ({ user }) => regularBookingsOf(db, user.id, clock.now()))
  serve(http, regular.skipRegularDate, ({ user, params: { id }, body }) =>
    run((tx, now) => skipRegularDate(tx, user, { id, classId: body.classId }, now)),
  )
  serve(http, regular.endRegularBooking, ({ user, params: { id }, query }) =>
    run((tx, now) => endRegularBooking(tx, user, { id, cancelsBookings: query.cancelBookings }, now)),
  )
  serve(http, regular.listRegularHolders, () => regularHolders(db, clock.now()))
  serve(http, regular.listRegularBookingsOf, async ({ params: { id } }) => {
    if (!(await findUser(db, id))) refuse(accountRefusals.user_not_found)
    return regularBookingsOf(db, id, clock.now())
  })
  serve(http, regular.setRegularBookingFor, ({ user, params, body }) =>
    run((tx, now) => setRegularBookingFor(tx, user, { userId: params.id, ...body }, now)),
  )
  serve(http, regular.endRegularBookingFor, ({ user, params: { id }, query }) =>
    run((tx, now) => endRegularBookingFor(tx, user, { id, cancelsBookings: query.cancelBookings }, now)),
  )
  serveFile(http, contract.bookingCalendar, ({ user, params }) => calendarOfBooking(db, user, params.id, site))
  serve(http, contract.listBookings, async ({ user }) => (await bookingsOf(db, user.id)).map(toBooking))
  serve(http, contract.listUpcomingBookings, async ({ user }) =>
    (await upcomingBookingsOf(db, user.id, clock.now())).map(toBooking),
  )

  serve(http, contract.listAllBookings, async ({ query, reply }) => {
    return await sendPage(reply, query, () => countBookings(db, query), allBookings(db, query))
  })
  serveFile(http, contract.exportBookings, async ({ query }) => bookingsFile(exports, query))
  serve(http, contract.markAttendance, ({ user, params: { id }, body }) =>
    run((tx, now) => markAttendance(tx, user, id, body.status, now)),
  )
  serve(http, contract.moveForMember, ({ user, params: { id }, body }) =>
    run((tx, now) => moveForMember(tx, user, id, body.classId, now)),
  )
  serve(http, contract.cancelForMember, ({ user, params: { id }, body }) =>
    run((tx, now) => cancelForMember(tx, user, id, body, now)),
  )
  serve(http, contract.returnForfeitedCredit, ({ user, params: { id }, body }) =>
    run((tx, now) => returnForfeitedCredit(tx, user, id, body.reason, now)),
  )
  serve(http, contract.blockMember, async ({ user, params: { id }, body }) => {
    await run((tx, now) => blockMember(tx, user, { userId: id, reason: body.reason }, now))
    return { message: 'Member blocked' }
  })
  serve(http, contract.unblockMember, async ({ user, params: { id } }) => {
    await run((tx, now) => unblockMember(tx, user, id, now))
    return { message: 'Member unblocked' }
  })

  serve(http, classes.getClassForAdmin, ({ params }) => classForAdmin(db, params.id, clock.now()))
  serve(http, classes.listSessions, ({ user, query }) => run((tx, now) => sessionsBetween(tx, vault, user, query, now)))
  serve(http, classes.listClassPeople, ({ query }) => findPeopleBetween(db, query, clock.now()))

  serve(http, day.listDay, ({ user }) => run((tx, now) => dayFor(tx, vault, user, now)))
  serve(http, day.markDayAttendance, ({ user, params: { id }, body }) =>
    run((tx, now) => markDayAttendance(tx, user, id, body.status, now)),
  )
  serve(http, day.writeSessionNote, async ({ user, params: { id }, body }) => {
    await run((tx, now) => writeSessionNote(tx, vault, user, { id, ...body }, now))
    return { message: body.text === '' ? 'Note deleted' : 'Note saved' }
  })
  serve(http, day.getDayHealth, ({ user, params: { id } }) => run((tx, now) => dayHealthFor(tx, vault, user, id, now)))
  serve(http, day.listSessionNotes, ({ user, params: { id } }) =>
    run((tx, now) => listSessionNotes(tx, vault, user, id, now)),
  )
}
