import fc from 'fast-check'
import { bookClass } from '#booking/contract.ts'
import {
  acceptInvitation,
  addCompanion,
  cancelCompanion,
  confirmHeldPlace,
  declineInvitation,
  endHeldPlace,
} from '#booking/contract-companions.ts'
import { endRegularBooking, setRegularBooking, skipRegularDate } from '#booking/contract-regular.ts'
import { weekdayOfDate } from '#booking/rules-regular.ts'
import { defined } from '#foundation/collections.ts'
import { giftCredits } from '#passes/contract.ts'
import { sellVoucher } from '#payments/contract-desk.ts'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { createClass } from '#timetable/contract.ts'
import { extendVoucher, redeemVoucher, voidVoucher } from '#vouchers/contract.ts'
import { heldPlaces, placeOf, type Snapshot } from './snapshot.ts'
import { defineStep, itemIndex, memberIndex, pick, timetableOf, titleOf, toResult } from './step.ts'
import type { World } from './world.ts'

/** Mostly another member; sometimes oneself, or an address without an account. */
const companion = fc.constantFrom(0, 1, 1, 2, 2, 'stranger' as const)

function companionOf(world: World, who: number, whom: number | 'stranger') {
  if (whom === 'stranger') return { firstName: 'Vera', lastName: 'Void', email: 'vera@people.example' }
  const { name, email } = world.member(who + whom)
  return { firstName: name, lastName: 'Cast', email }
}

const bookingsOf = ({ bookings }: Snapshot, userId: string) =>
  bookings.filter((row) => row.userId === userId && row.status === 'confirmed')

const isHeldFor = (state: Snapshot, bookingId: number) =>
  heldPlaces(state).some(({ place }) => place.broughtBy === bookingId)

/** Source: docs/studio-rules.md#cancelling. Deliberately repeated here, to check the code. */
const LATE_MINUTES = 120

const isIn = (rows: readonly { id: number }[], { id }: { id: number }) => rows.some((row) => row.id === id)

export const bookForTwoStep = defineStep('booksForTwo', 12, { who: memberIndex, which: itemIndex, whom: companion })(
  async (world, state, { who, which, whom }) => {
    const [member, invited] = [world.member(who), companionOf(world, who, whom)]
    const listed = timetableOf(state, world.now)
    const roomy = listed.filter(({ bookedCount, maxParticipants }) => bookedCount === 0 && maxParticipants === 2)
    // Sometimes a class without room for two, which is refused.
    const wanted = pick(which, which > 1 && roomy.length > 0 ? roomy : listed)
    if (!wanted) return undefined
    const answer = await member.call(bookClass, { body: { classId: wanted.id, companion: invited } })
    const line = `${member.name} books ${wanted.title} for two, with ${invited.firstName}`
    return toResult(line, answer, (_before, after) =>
      isHeldFor(after, answer.body.id) ? [] : ['booked for two, but no place is held'],
    )
  },
)

export const inviteStep = defineStep('invites', 6, {
  who: memberIndex,
  which: itemIndex,
  whom: companion,
  twice: fc.constantFrom(false, false, true),
})(async (world, state, { who, which, whom, twice }) => {
  const [member, invited] = [world.member(who), companionOf(world, who, whom)]
  const own = pick(which, bookingsOf(state, member.id))
  if (!own) return undefined
  const invite = () => member.call(addCompanion, { params: { id: own.id }, body: invited })
  const responses = await Promise.all(twice ? [invite(), invite()] : [invite()])
  const line = `${member.name} invites ${invited.firstName} to ${titleOf(state, own.classId)}`
  const done = responses.filter(({ status }) => status === 201).length
  return {
    line: `${line}: ${responses.map(({ status, body }) => body?.message ?? status).join(', ')}`,
    responses,
    check: (_before, after) => [
      ...(done > 1 ? ['one booking got two companions'] : []),
      ...(done === 1 && !isHeldFor(after, own.id) ? ['invited, but no place is held'] : []),
    ],
  }
})

/** The companion accepts or declines, perhaps twice, or another member opens the link. */
export const answerStep = defineStep('answers', 16, {
  which: itemIndex,
  how: fc.constantFrom('accepts', 'accepts', 'accepts twice', 'declines', 'is another'),
})(async (world, state, { which, how }) => {
  // If nobody is invited, an invitation that has ended.
  const open = state.invitations.filter((row) => row.answer === null && placeOf(state, row)?.status !== 'cancelled')
  const invitation = pick(which, open.length > 0 ? open : state.invitations)
  const place = invitation && placeOf(state, invitation)
  const invited = world.members.find(({ email }) => email === invitation?.email)
  if (!invitation || !place || !invited) return undefined
  const body = { token: world.invitationToken(invitation.linkId) }
  const other = defined(world.members.find(({ id }) => id !== invited.id))
  const by = how === 'is another' ? other : invited
  const call = () => (how === 'declines' ? by.call(declineInvitation, { body }) : by.call(acceptInvitation, { body }))
  const responses = await Promise.all(how === 'accepts twice' ? [call(), call()] : [call()])
  await world.studio.runQueue('book-for-companion')
  const done = responses.filter(({ status }) => status < 400).length
  return {
    line: `${invited.name} ${how} (${titleOf(state, place.classId)}): ${responses.map(({ status, body: of }) => of?.code ?? status).join(', ')}`,
    responses,
    check: (_before, after) => {
      const answer = after.invitations.find(({ id }) => id === invitation.id)?.answer
      const due = how === 'declines' ? 'declined' : 'accepted'
      return [
        ...(done > 1 ? ['an invitation was accepted twice'] : []),
        ...(done > 0 && how === 'is another' ? ['an invitation was accepted by another account'] : []),
        ...(done > 0 && answer !== due ? [`an invitation was ${due}, but is ${answer}`] : []),
      ]
    },
  }
})

export const cancelCompanionStep = defineStep('cancelsCompanion', 4, { which: itemIndex })(
  async (world, state, { which }) => {
    const place = pick(
      which,
      state.places.filter(({ status, broughtBy }) => broughtBy && (status === 'held' || status === 'confirmed')),
    )
    const member = world.members.find(({ id }) => id === place?.payerId)
    if (!place || !member) return undefined
    const answer = await member.call(cancelCompanion, { params: { id: place.broughtBy } })
    await world.expireUndo()
    return toResult(`${member.name} cancels the companion’s place in ${titleOf(state, place.classId)}`, answer)
  },
)

/** The owner confirms a held place or ends it. */
export const decideHeldStep = defineStep('decidesHeld', 3, { which: itemIndex, confirms: fc.boolean() })(
  async (world, state, { which, confirms }) => {
    // A stranger would get an account, which outlives the history.
    const known = heldPlaces(state).filter(({ email }) => world.members.some((member) => member.email === email))
    const place = pick(which, known)?.place
    if (!place) return undefined
    const params = { id: place.id }
    const answer = await world.owner.call(confirms ? confirmHeldPlace : endHeldPlace, { params })
    return toResult(`Dora ${confirms ? 'confirms' : 'ends'} held place ${place.id}`, answer)
  },
)

export const setRegularStep = defineStep('setsRegular', 9, {
  who: memberIndex,
  which: itemIndex,
  comes: fc.constantFrom('alone', 'alone', 'with', 'invites'),
  whom: companion,
})(async (world, state, { who, which, comes, whom }) => {
  const member = world.member(who)
  const listed = timetableOf(state, world.now)
  const weekly = listed.filter(({ date, startTime }) => weekdayOfDate(date) === 5 && startTime === '08:00')
  // Mostly the class of a companion’s place.
  const brought = state.places.filter(({ payerId, broughtBy }) => payerId === member.id && broughtBy)
  const together = weekly.filter((row) => brought.some(({ classId }) => classId === row.id))
  // The last one has no later week.
  const slot = comes === 'with' && together.length > 0 ? together : weekly.slice(0, -1)
  const first = pick(which, which % 4 === 0 || slot.length === 0 ? listed : slot)
  if (!first) return undefined
  const invited = comes === 'invites' ? companionOf(world, who, whom) : undefined
  const body = { classId: first.id, withCompanion: comes !== 'alone', companion: invited }
  const answer = await member.call(setRegularBooking, { body })
  const withCompanion = comes === 'with' ? ' with the companion' : ''
  const guest = invited ? `, inviting ${invited.firstName}` : withCompanion
  return toResult(`${member.name} books ${first.title} and every later week${guest}`, answer)
})

/** A member with enough credits books every week for two, and the companion accepts. */
export const comeTogetherStep = defineStep('comeTogether', 6, {
  who: memberIndex,
  which: itemIndex,
  whom: fc.constantFrom(1, 2),
  credits: fc.constantFrom(2, 3, 6),
})(async (world, state, { who, which, whom, credits }) => {
  const [member, guest] = [world.member(who), world.member(who + whom)]
  const first = pick(
    which,
    timetableOf(state, world.now).filter((row) => weekdayOfDate(row.date) === 5 && row.maxParticipants === 2),
  )
  if (!first) return undefined
  const gift = { packageId: world.packages[0]?.id ?? 0, creditsToGift: credits, expiryMonths: 6 as const }
  const given = await world.owner.call(giftCredits, { params: { userId: member.id }, body: gift })
  const body = { classId: first.id, withCompanion: true, companion: companionOf(world, who, whom) }
  const set = await member.call(setRegularBooking, { body })
  const responses = [given, set]
  const held = heldPlaces(await world.snapshot()).find(
    ({ email, place }) => email === guest.email && place.classId === first.id,
  )
  if (set.status === 201 && held) {
    const token = world.invitationToken(held.linkId)
    responses.push(await guest.call(acceptInvitation, { body: { token } }))
    await world.studio.runQueue('book-for-companion')
  }
  const words = responses.map(({ status, body: of }) => of?.code ?? status).join(', ')
  return {
    line: `${member.name} comes every week from ${first.title} on with ${guest.name}: ${words}`,
    responses,
    isSeveral: true,
  }
})

/** A member, or the companion who comes along, skips a date of a regular booking or ends their part of it. */
export const leaveRegularStep = defineStep('leavesRegular', 5, {
  which: itemIndex,
  date: itemIndex,
  how: fc.constantFrom('skips', 'skips', 'ends', 'cancels all'),
  isCompanion: fc.boolean(),
})(async (world, state, { which, date, how, isCompanion }) => {
  const regular = pick(which, state.regulars)
  const leaver = (isCompanion && regular?.companionUserId) || regular?.userId
  const member = world.members.find(({ id }) => id === leaver)
  if (!regular || !member) return undefined
  const params = { id: regular.id }
  if (how !== 'skips') {
    const isOwn = member.id === regular.userId
    if (isOwn) world.endedRegulars.add(regular.id)
    const query = { cancelBookings: how === 'ends' ? ('false' as const) : ('true' as const) }
    const answer = await member.call(endRegularBooking, { params, query })
    return toResult(`${member.name} ${how} of regular ${regular.id}`, answer, (before, after) => [
      ...(isOwn && before.waiting.some((was) => was.regularBookingId === regular.id && isIn(after.waiting, was))
        ? ['a regular booking has ended, but still waits']
        : []),
      ...before.bookings.flatMap((was) => {
        const startsAt = before.classes.find(({ id }) => id === was.classId)?.startsAt ?? world.now
        const isInTime = was.movedAt !== null || world.now.until(startsAt).total('minutes') > LATE_MINUTES
        const isTheirs = was.regularBookingId === regular.id && (isOwn || was.userId === member.id)
        const due = isTheirs && isInTime && how === 'cancels all' ? 'cancelled' : 'confirmed'
        const status = after.bookings.find(({ id }) => id === was.id)?.status
        return was.status !== 'confirmed' || status === due ? [] : [`booking ${was.id} is ${status}, not ${due}`]
      }),
    ])
  }
  const skipped = pick(
    date,
    timetableOf(state, world.now).filter(
      (row) => weekdayOfDate(row.date) === regular.weekday && row.startTime === regular.startTime,
    ),
  )
  if (!skipped) return undefined
  const answer = await member.call(skipRegularDate, { params, body: { classId: skipped.id } })
  await world.expireUndo()
  return toResult(`${member.name} skips ${skipped.title}`, answer, (_before, after) =>
    after.bookings.some((row) => row.userId === member.id && row.classId === skipped.id && row.status === 'confirmed')
      ? ['a skipped date is still booked']
      : [],
  )
})

/** The owner deletes one of the two people of a companion’s place, or one after the other. */
export const eraseStep = defineStep('erases', 4, {
  which: itemIndex,
  whom: fc.constantFrom('payer', 'holder', 'payer, then holder', 'holder, then payer'),
})(async (world, state, { which, whom }) => {
  const places = state.places.filter(({ broughtBy, status }) => broughtBy && status !== 'cancelled')
  const place = pick(which, places)
  const invitation = state.invitations.find(({ id }) => id === place?.invitationId)
  const people = {
    payer: world.members.find(({ id }) => id === place?.payerId),
    holder: world.members.find(
      ({ id, email }) => id === place?.userId || (!place?.userId && email === invitation?.email),
    ),
  }
  // Money that changes hands after that is another story.
  const hasPaid = ({ id }: Person) =>
    [...state.intents, ...state.purchases].some(({ userId }) => userId === id) ||
    state.vouchers.some(({ buyerId, redeemedBy }) => buyerId === id || redeemedBy === id)
  const erased = whom.split(', then ').flatMap((role) => people[role as keyof typeof people] ?? [])
  if (!place || erased.length === 0 || erased.some(hasPaid)) return undefined
  const ids = new Set(erased.map(({ id }) => id))
  const [responses, broken]: [TestResponse[], string[]] = [[], []]
  for (const member of erased) {
    responses.push(await world.erase(member))
    broken.push(...(await brokenInvariants(world.studio.server.database.pool)))
  }
  return {
    line: `Dora deletes ${erased.map(({ name }) => name).join(', then ')}: ${responses.map(({ status }) => status).join(', ')}`,
    responses,
    isSeveral: erased.length > 1,
    check: (before, after) => [...broken, ...findTakenAlong(before, after, ids)],
  }
})

/** Places that went with one of their two people, or were lost as their payer went. */
function findTakenAlong(before: Snapshot, after: Snapshot, erased: ReadonlySet<string>): string[] {
  return before.places.flatMap((was) => {
    const now = after.places.find(({ id }) => id === was.id)
    const hasStayed = (id: string | null) => id !== null && !erased.has(id)
    if (!now) return [was.userId, was.payerId].some(hasStayed) ? [`place ${was.id} went with one of its two`] : []
    return hasStayed(was.userId) && now.status !== was.status
      ? [`booking ${was.id} is ${now.status}, as its payer was erased`]
      : []
  })
}

/** The owner adds a class to the weekly slot. Regular members are booked before anyone else, the oldest first. */
export const addToSlotStep = defineStep('addsToSlot', 3, {
  weeks: fc.constantFrom(1, 2, 3, 4),
  places: fc.constantFrom(1, 2),
})(async (world, state, { weeks, places }) => {
  const friday = Temporal.PlainDate.from('2026-12-25').add({ weeks })
  const title = `Class ${state.classes.length + 1}`
  const slot = { date: friday.toString(), startTime: '08:00', endTime: '08:45' }
  const answer = await world.owner.call(createClass, { body: { title, ...slot, maxParticipants: places } })
  return toResult(`Dora adds ${title} on ${slot.date} 08:00 for ${places}`, answer)
})

/** The owner sells a voucher at the desk, extends it or voids it. */
export const sellVoucherStep = defineStep('sellsVoucher', 3, {
  who: memberIndex,
  which: itemIndex,
  how: fc.constantFrom('sells', 'sells', 'extends', 'voids'),
})(async (world, state, { who, which, how }) => {
  const { owner } = world
  const voucher = pick(which, state.vouchers)
  if (how === 'sells' || !voucher) {
    const member = world.member(who)
    const body = { packageId: world.packages[0]?.id, method: 'cash', gift: { recipientName: 'Grace' } }
    const answer = await owner.call(sellVoucher, { params: { id: member.id }, body })
    return toResult(`Dora sells ${member.name} a voucher`, answer)
  }
  const params = { id: voucher.id }
  const answer =
    how === 'voids'
      ? await owner.call(voidVoucher, { params })
      : await owner.call(extendVoucher, { params, body: { validUntil: '2029-06-01' } })
  return toResult(`Dora ${how} voucher ${voucher.id}`, answer)
})

/** A member redeems a voucher, perhaps at the same time as another. */
export const redeemVoucherStep = defineStep('redeems', 3, { who: memberIndex, which: itemIndex, rival: fc.boolean() })(
  async (world, state, { who, which, rival }) => {
    const voucher = pick(which, state.vouchers)
    const code = voucher && world.codeOf(voucher)
    if (!voucher || !code) return undefined
    const members = rival ? [world.member(who), world.member(who + 1)] : [world.member(who)]
    const responses = await Promise.all(members.map((member) => member.call(redeemVoucher, { body: { code } })))
    const names = members.map(({ name }) => name).join(' and ')
    return {
      line: `${names} redeem voucher ${voucher.id}: ${responses.map(({ status }) => status).join(', ')}`,
      responses,
      check: (before, after) => {
        const made = after.passes.length - before.passes.length
        const due = responses.filter(({ status }) => status === 201).length
        return [
          ...(made !== due ? [`${made} passes for a voucher, but ${due} were answered`] : []),
          ...(due > 1 || (due === 1 && voucher.redeemedAt) ? ['a voucher was redeemed twice'] : []),
          ...(due > 0 && voucher.voidedAt ? ['a void voucher was redeemed'] : []),
        ]
      },
    }
  },
)
