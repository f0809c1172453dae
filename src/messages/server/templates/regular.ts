import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { MailedBooking, Mails } from '../../mail.ts'
import { calendarAttachments, removeFromCalendar } from './bookings.ts'
import { button, type Fact, facts, small, subheading, type Templates } from './layout.ts'

const { lateCancellationMinutes, regularBookings } = studio.policies

const WHY_NOT: Record<Mails['regular-dates']['notBooked'][number]['code'], string> = {
  blocked: 'Your account is on hold',
  no_credit: 'No credit that is valid on that day',
  pass_on_hold: 'Your class pass is on hold',
  pass_paused: 'Your class pass is paused',
  health_missing: 'Your health information is not complete',
  overlapping_booking: 'You have booked another class at that time',
  tonight: 'Booked tonight, while you have a free credit',
  too_soon: 'Starts too soon for us to book it for you',
  full: 'Full: you are on the waiting list',
  skipped: 'Skipped',
  closed: 'The studio is closed',
  already_booked: 'You had already booked it',
}

const HEADINGS: Record<Mails['regular-dates']['kind'], (slot: string) => string> = {
  set_up: (slot) => `You are booked ${slot}`,
  booked: (slot) => `New classes ${slot} are booked`,
  monthly: (slot) => `Your classes ${slot}`,
}

export const slotOf = ({ day, startTime }: { day: string; startTime: string }) => `every ${day} at ${startTime}`

const datesOf = (classes: readonly MailedBooking[]) =>
  facts(...classes.map((each): Fact => [formatDay(each.date), `${each.startTime} to ${each.endTime}`]))

export const regularMails = {
  'regular-dates': ({ kind, booked, notBooked, bookedUntil, companion, bookedBy, ...when }, site) => {
    const slot = bookedBy ? `${slotOf(when)} with ${bookedBy}` : slotOf(when)
    const places = companion && many(companion.dates.length, 'place', 'places')
    const ahead = `up to ${regularBookings.weeks} weeks ahead`
    const reach = bookedUntil ? `You are booked until ${formatDay(bookedUntil)}.` : 'No date is booked yet.'
    const own =
      kind === 'set_up'
        ? `We keep this time for you: your class ${slot}, ${ahead}.`
        : `We have booked ${many(booked.length, 'class', 'classes')} for you, paid with your credits.`
    return {
      subject: HEADINGS[kind](slot),
      preview: reach,
      heading: HEADINGS[kind](slot),
      body: [
        bookedBy
          ? `${bookedBy} has booked and paid for your place ${slotOf(when)}, ${ahead}. ${reach}`
          : `${own} ${reach}`,
        companion &&
          `${companion.firstName} is coming with you: we have booked ${places} for them, paid with your credits.`,
        booked.length > 0 && subheading('Booked'),
        booked.length > 0 && datesOf(booked),
        companion && subheading(`Booked for ${companion.firstName}`),
        companion && facts(...companion.dates.map((date): Fact => [formatDay(date), when.startTime])),
        notBooked.length > 0 && subheading('Not booked'),
        notBooked.length > 0 && facts(...notBooked.map(({ date, code }): Fact => [formatDay(date), WHY_NOT[code]])),
        button('See your regular bookings', site('/dashboard')),
        small(
          bookedBy
            ? `${bookedBy} pays for these classes. The health statement and the cancellation policy that you agreed to when you accepted ${bookedBy}’s invitation cover them too. You can skip a date or stop on your dashboard.`
            : `New classes at this time are booked as soon as they are on the timetable and you have a credit that is free: new and returned credits are your own until the night. The terms and the cancellation policy that you agreed to when you set this up cover these bookings too. You can skip a date or stop on your dashboard. Cancel more than ${lateCancellationMinutes} minutes before a class to get its credit back.`,
        ),
      ],
      attachments: calendarAttachments(booked, 'PUBLISH', site),
    }
  },

  'regular-credits': ({ bookedUntil, ...when }, site) => {
    const slot = slotOf(when)
    return {
      subject: `Your credits for ${slot} run out soon`,
      preview: bookedUntil ? `You are booked until ${formatDay(bookedUntil)}.` : 'No date is booked.',
      heading: 'Your credits run out soon',
      body: [
        bookedUntil
          ? `Your class ${slot} is booked until ${formatDay(bookedUntil)}. You have no credit for the dates after that.`
          : `You have no credit for your class ${slot}, so no date is booked.`,
        button('Buy a class pass', site('/pricing')),
        small('Once you have credits, we book the next dates for you. Until then, other members can book them.'),
      ],
    }
  },

  'regular-companion-left': ({ companion, cancelled, ...when }, site) => {
    const text = `${companion} has stopped coming with you ${slotOf(when)}. Your own classes stay booked.`
    return {
      subject: `${companion} is no longer coming ${slotOf(when)}`,
      preview: text,
      heading: `${companion} is no longer coming`,
      body: [
        text,
        cancelled.length > 0 && 'These places are cancelled, and their credits are back on your pass:',
        cancelled.length > 0 && datesOf(cancelled),
        button('See your regular bookings', site('/dashboard')),
      ],
    }
  },

  'regular-ended': ({ because, cancelled, kept, bookedBy, ...when }, site) => {
    const slot = bookedBy ? `${slotOf(when)} with ${bookedBy}` : slotOf(when)
    const WHY = {
      member: `You have stopped your regular booking ${slot}.`,
      studio: `We have ended your regular booking ${slot}.`,
      timetable: `There are no classes ${slot} in the next ${regularBookings.weeks} weeks, so your regular booking has ended.`,
      merged: `We have moved the classes ${slot} to a time for which you have another regular booking. Your bookings go on with that one.`,
    }
    const why = bookedBy ? `Your regular booking ${slot} has ended.` : WHY[because]
    const ended = bookedBy
      ? 'These classes are cancelled:'
      : 'These classes are cancelled, and their credits are back on your pass:'
    return {
      subject: `Your regular booking ${slot} has ended`,
      preview: why,
      heading: 'Your regular booking has ended',
      body: [
        why,
        cancelled.length === 0 && because !== 'timetable' && 'Classes that you have already booked stay booked.',
        cancelled.length > 0 && ended,
        cancelled.length > 0 && datesOf(cancelled),
        kept.length > 0 && 'We had booked these classes since our last email. They stay booked:',
        kept.length > 0 && datesOf(kept),
        button('Choose another class', site('/booking')),
        cancelled.length > 0 && removeFromCalendar(cancelled.length),
      ],
      attachments: [...calendarAttachments(cancelled, 'CANCEL', site), ...calendarAttachments(kept, 'PUBLISH', site)],
    }
  },
} satisfies Partial<Templates>
