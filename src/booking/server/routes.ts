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
import { refuse } from '#foundation/refusal.ts'
import { linkIdOfInvitation, type TokenOf } from '#messages/server/messages.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { type Http, sendPage, serve, serveFile } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
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
    exports: Reader
    vault: Vault
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
  const { database, clock } = http
  const { exports, vault, site, tokenOf } = deps
  const throttle = throttles(database.limited, deps.mode)

  write(http, contract.bookClass, async ({ tx, now, user, body }) => {
    const booking = await bookForTwo(tx, user, body, now)
    const places = { userId: user.id, request: body.beginRequest, bookingIds: [booking.id] }
    await deps.requestBeginForPlaces(tx, places, now)
    return booking
  })
  write(http, companions.addCompanion, async ({ tx, now, user, params: { id }, body }) => {
    const booking = await addCompanion(tx, user, id, body, now)
    const places = { userId: user.id, request: body.beginRequest, bookingIds: [id] }
    await deps.requestBeginForPlaces(tx, places, now)
    return booking
  })
  write(http, companions.cancelCompanion, ({ tx, now, user, params: { id } }) => cancelCompanion(tx, user, id, now))
  serve(http, companions.listPaidPlaces, ({ db, now, user }) => paidPlacesOf(db, user.id, now))
  serve(http, companions.listHeldPlaces, async ({ db }) => (await selectHeld(db, undefined)).map(toHeldPlace))
  write(http, companions.confirmHeldPlace, ({ tx, now, user, params: { id } }) =>
    confirmHeldPlace(tx, user, id, { tokenOf, now }),
  )
  write(http, companions.endHeldPlace, ({ tx, now, user, params: { id } }) => endHeldPlace(tx, user, id, now))
  const linkIn = (body: { token: string }) => linkIdOfInvitation(body.token, tokenOf)
  serve(http, companions.readInvitation, ({ db, now, body }) => readInvitation(db, linkIn(body), now))
  write(http, companions.acceptInvitation, ({ tx, now, user, body }) => acceptInvitation(tx, user, linkIn(body), now))
  write(http, companions.declineInvitation, async ({ tx, now, body }) => {
    await declineInvitation(tx, linkIn(body), body, now)
    return { message: body.never ? 'Declined. We will not invite you again.' : 'Declined. We’ll let them know.' }
  })
  serve(http, companions.signUpInvited, async ({ db, body, request, reply }) => {
    await throttle.countMail(request.ip)
    await refuseCommonPassword(db, body.password, deps.mode)
    const passwordHash = await queueForHashing(() => hashPassword(body.password, deps.passwordCost))
    const { user, session } = await database.transaction(async (tx) => {
      const { firstName, lastName } = body
      const registered = await signUpInvited(tx, linkIn(body), { firstName, lastName, passwordHash }, clock.now())
      return { user: registered, session: await deps.cookies.renew(tx, request, registered.id, 'sign_up') }
    })
    deps.cookies.set(request, reply, session)
    return toUser(user)
  })
  write(http, contract.cancelBooking, ({ tx, now, user, params: { id } }) => cancelBooking(tx, user, id, now))
  write(http, contract.undoCancel, ({ tx, now, user, params: { id } }) => undoCancel(tx, user, id, now))
  write(http, contract.rescheduleBooking, ({ tx, now, user, params: { id }, body }) =>
    rescheduleBooking(tx, user, id, body.classId, now),
  )
  write(http, waiting.joinWaitingList, ({ tx, now, user, params: { id } }) => joinWaitingList(tx, user, id, now))
  write(http, waiting.leaveWaitingList, ({ tx, now, user, params }) => leaveWaitingList(tx, user, params.id, now))
  write(http, waiting.declineOffer, ({ tx, now, user, params }) => declineOffer(tx, user, params.id, now))
  write(http, waiting.joinForMember, ({ tx, now, user, params, body }) =>
    joinForMember(tx, user, { classId: params.id, userId: body.userId }, now),
  )
  write(http, waiting.confirmPlace, ({ tx, now, user, params: { id: classId, userId } }) =>
    confirmPlace(tx, user, { classId, userId }, now),
  )
  write(http, waiting.leaveForMember, ({ tx, now, user, params: { id: classId, userId } }) =>
    leaveForMember(tx, user, { classId, userId }, now),
  )
  serve(http, waiting.listWaiting, async ({ db, now, user }) =>
    (await waitingListsOf(db, user.id, now)).map(toWaitingEntry),
  )
  write(http, regular.setRegularBooking, async ({ tx, now, user, body }) => {
    const made = await setRegularBooking(tx, user, body, now)
    const bookingIds = made.booked.map(({ id }) => id)
    await deps.requestBeginForPlaces(tx, { userId: user.id, request: body.beginRequest, bookingIds }, now)
    return made
  })
  serve(http, regular.listRegularBookings, ({ db, now, user }) => regularBookingsOf(db, user.id, now))
  write(http, regular.skipRegularDate, ({ tx, now, user, params: { id }, body }) =>
    skipRegularDate(tx, user, { id, classId: body.classId }, now),
  )
  write(http, regular.endRegularBooking, ({ tx, now, user, params: { id }, query }) =>
    endRegularBooking(tx, user, { id, cancelsBookings: query.cancelBookings }, now),
  )
  serve(http, regular.listRegularHolders, ({ db, now }) => regularHolders(db, now))
  serve(http, regular.listRegularBookingsOf, async ({ db, now, params: { id } }) => {
    if (!(await findUser(db, id))) refuse(accountRefusals.user_not_found)
    return regularBookingsOf(db, id, now)
  })
  write(http, regular.setRegularBookingFor, ({ tx, now, user, params, body }) =>
    setRegularBookingFor(tx, user, { userId: params.id, ...body }, now),
  )
  write(http, regular.endRegularBookingFor, ({ tx, now, user, params: { id }, query }) =>
    endRegularBookingFor(tx, user, { id, cancelsBookings: query.cancelBookings }, now),
  )
  serveFile(http, contract.bookingCalendar, ({ db, user, params }) => calendarOfBooking(db, user, params.id, site))
  serve(http, contract.listBookings, async ({ db, user }) => (await bookingsOf(db, user.id)).map(toBooking))
  serve(http, contract.listUpcomingBookings, async ({ db, now, user }) =>
    (await upcomingBookingsOf(db, user.id, now)).map(toBooking),
  )

  serve(http, contract.listAllBookings, async ({ db, query, reply }) => {
    return await sendPage(reply, query, () => countBookings(db, query), allBookings(db, query))
  })
  serveFile(http, contract.exportBookings, async ({ query }) => bookingsFile(exports, query))
  write(http, contract.markAttendance, ({ tx, now, user, params: { id }, body }) =>
    markAttendance(tx, user, id, body.status, now),
  )
  write(http, contract.moveForMember, ({ tx, now, user, params: { id }, body }) =>
    moveForMember(tx, user, id, body.classId, now),
  )
  write(http, contract.cancelForMember, ({ tx, now, user, params: { id }, body }) =>
    cancelForMember(tx, user, id, body, now),
  )
  write(http, contract.returnForfeitedCredit, ({ tx, now, user, params: { id }, body }) =>
    returnForfeitedCredit(tx, user, id, body.reason, now),
  )
  write(http, contract.blockMember, ({ tx, now, user, params: { id }, body }) =>
    blockMember(tx, user, { userId: id, reason: body.reason }, now),
  )
  write(http, contract.unblockMember, ({ tx, now, user, params: { id } }) => unblockMember(tx, user, id, now))

  serve(http, classes.getClassForAdmin, ({ db, now, params }) => classForAdmin(db, params.id, now))
  write(http, classes.listSessions, ({ tx, now, user, query }) => sessionsBetween(tx, vault, user, query, now))
  serve(http, classes.listClassPeople, ({ db, now, query }) => findPeopleBetween(db, query, now))

  write(http, day.listDay, ({ tx, now, user }) => dayFor(tx, vault, user, now))
  write(http, day.markDayAttendance, ({ tx, now, user, params: { id }, body }) =>
    markDayAttendance(tx, user, id, body.status, now),
  )
  write(http, day.writeSessionNote, async ({ tx, now, user, params: { id }, body }) => {
    await writeSessionNote(tx, vault, user, { id, ...body }, now)
    return { message: body.text === '' ? 'Note deleted' : 'Note saved' }
  })
  write(http, day.getDayHealth, ({ tx, now, user, params: { id } }) => dayHealthFor(tx, vault, user, id, now))
  write(http, day.listSessionNotes, ({ tx, now, user, params: { id } }) => listSessionNotes(tx, vault, user, id, now))
}
