import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import type { MailedClass, Mails, TaughtBooking } from '../../mail.ts'
import { calendarAttachments, mailAboutBooking, mailAboutCancelledBooking, removeFromCalendar } from './bookings.ts'
import { button, type Fact, facts, link, paragraph, small, subheading, type Templates } from './layout.ts'
import { classFacts, creditBackBefore, dayAndTime, hourOf, momentOf, when } from './words.ts'

const { policies } = studio
const { studioCancellationGraceDays } = policies

function headingOfClosure({ hadBookings, hadOnlyPaidFor }: { hadBookings: boolean; hadOnlyPaidFor: boolean }): string {
  if (hadOnlyPaidFor) return 'We had to cancel classes you paid for'
  return hadBookings ? 'We had to cancel your classes' : 'Classes you were waiting for are cancelled'
}

export const classMails = {
  'class-cancelled': ({ class: studioClass }, site) => {
    const { isCreditLost, paidBy, paidFor } = studioClass
    const own = paidFor ? `Your credits for you and ${paidFor} are back.` : 'Your credit is back on your pass.'
    const returned = paidBy ? `The credit is back on ${paidBy}’s pass.` : own
    const validity = `${paidFor ? 'They are' : 'The pass is'} valid for at least another ${studioCancellationGraceDays} days so that you can use ${paidFor ? 'them' : 'it'}.`
    const credit = isCreditLost
      ? 'The pass that paid for it has ended, so we cannot return the credit.'
      : [returned, !paidBy && validity].filter(Boolean).join(' ')
    return mailAboutCancelledBooking(studioClass, site, {
      subject: `We are sorry: your class on ${dayAndTime(studioClass)} is cancelled`,
      preview: isCreditLost ? 'It cannot take place.' : returned,
      heading: 'We had to cancel your class',
      intro: `We are sorry, this class cannot take place. ${credit}`,
      payment: isCreditLost ? 'Credit kept' : 'Credit returned',
    })
  },

  'class-moved': ({ class: studioClass, from, movedAt, paidBy, hasPassEnded }, site, tokenOf) =>
    mailAboutBooking(studioClass, site, tokenOf, {
      subject: subjectOfMove('your class', from, studioClass),
      preview: `${studioClass.title} with ${studioClass.instructorName}. Your booking has moved with it.`,
      heading: 'We have moved your class',
      intro: `We moved this class and your booking at ${momentOf(movedAt)}.${otherTeacher(from, studioClass)} We are sorry for any inconvenience. Your place stays paid for, even if the pass expires before the new date.`,
      before: from,
      action: 'Keep, change or cancel it',
      note: [
        'You do not need to do anything to keep your place. If the class is in your calendar, open the attached file to move it there too.',
        `If the new time does not suit you, ${paidBy || hasPassEnded ? 'cancel' : 'cancel or choose another class'} on your dashboard.`,
        hasPassEnded ? '' : creditBackBefore(`the class starts on ${dayAndTime(studioClass)}`, paidBy),
      ].join(' '),
    }),

  'teacher-changed': ({ taught, changedAt }, site) => {
    const [first] = taught
    const teacher = first?.instructorName ?? ''
    const isOne = taught.length === 1
    const isBack = taught.every((each) => each.isBack)
    const subject =
      first && isOne
        ? `${teacher} teaches your class on ${dayAndTime(first)}`
        : `${teacher} teaches ${taught.length} of your classes`
    return {
      subject,
      preview: first && isOne ? insteadOf(first) : 'Your places, days and times stay as they are.',
      heading: isOne ? 'Your class has another teacher' : 'Your classes have another teacher',
      body: [
        [
          `Since ${momentOf(changedAt)},`,
          isOne ? 'this class is' : 'these classes are',
          isBack ? `with ${teacher} again.` : `with ${teacher}.`,
          'Place, day and time stay as they are, and you do not need to do anything to keep your place.',
        ].join(' '),
        facts(
          ...taught.flatMap((each): Fact[] => [
            [`${each.title} with ${each.instructorName}`, when(each)],
            [each.isBack ? 'In the meantime' : 'Instead of', each.insteadOf],
          ]),
        ),
        ...creditTerms(taught),
        button('See your bookings', site('/dashboard')),
        small('If you keep the classes in your calendar, open the attached files to change the teacher there too.'),
      ],
      attachments: calendarAttachments(taught, 'PUBLISH', site),
    }
  },

  'awaited-class-moved': ({ classId, class: studioClass, from, movedAt, isFree }, site) => {
    const waitingListUrl = site(`/dashboard?waiting=${classId}`)
    return {
      subject: subjectOfMove('the class you are waiting for', from, studioClass),
      preview: isFree ? 'A place is free. The first to book gets it.' : 'Do you still want a place?',
      heading: 'The class you are waiting for has moved',
      hour: hourOf(studioClass),
      body: [
        `We moved this class at ${momentOf(movedAt)}. ${
          isFree
            ? 'It has a free place. We have emailed everyone on the waiting list, and the first to book gets the place.'
            : 'You keep your place on the waiting list, but we will not book the new time for you until you confirm that you still want it.'
        }`,
        classFacts(studioClass, site, { before: from }),
        isFree
          ? button('Book the place', site(`/booking?date=${studioClass.date}`))
          : button('I still want a place', waitingListUrl),
        small('If the new time does not suit you, ', link('leave the waiting list on your dashboard', waitingListUrl)),
      ],
    }
  },

  'awaited-class-cancelled': ({ class: studioClass }, site) => ({
    subject: `${studioClass.title} on ${dayAndTime(studioClass)} is cancelled`,
    preview: 'We have closed the waiting list. You have not been charged.',
    heading: 'A class you were waiting for is cancelled',
    body: [
      'We are sorry, this class cannot take place, so we have closed the waiting list. You have not been charged.',
      classFacts(studioClass, site),
      button('Choose another class', site('/booking')),
    ],
  }),

  'studio-closed': (data, site) => {
    const { from, until, hours, reason, booked, late, awaited } = data
    const ofHours = hours ? ` from ${hours.from} to ${hours.to}` : ''
    const days = from === until ? `on ${formatDay(from)}${ofHours}` : `from ${formatDay(from)} to ${formatDay(until)}`
    const paidBack = booked.filter(({ isCreditLost }) => !isCreditLost)
    const returned = paidBack.reduce(
      (sum, { paidBy, paidFor }) => sum + (paidBy ? 0 : 1) + (paidFor ? 1 : 0),
      late.length,
    )
    // To a companion: where the credits of the member who paid are.
    const others = [...new Set(paidBack.flatMap(({ paidBy }) => paidBy ?? []))].map(
      (name) => `What ${name} paid is back on ${name}’s pass.`,
    )
    const credits = returned === 1 ? 'Your credit is back on your pass' : 'Your credits are back on your pass'
    const validity = `${credits}. The pass is valid for at least another ${studioCancellationGraceDays} days so that you can use what we returned.`
    const cancelledLate = late.filter(({ companion }) => !companion)
    const paidFor = late.filter(({ companion }) => companion)
    const hadBookings = booked.length + late.length > 0
    const hadOnlyPaidFor = paidFor.length > 0 && paidFor.length === booked.length + late.length
    const withoutCredits =
      booked.length > 0 ? ['Your classes cannot take place.', ...others].join(' ') : 'You have not been charged.'
    return {
      subject: subjectOfClosure(data),
      preview: returned > 0 ? `${credits}.` : withoutCredits,
      heading: headingOfClosure({ hadBookings, hadOnlyPaidFor }),
      body: [
        `We are sorry, the studio is closed ${days}: ${reason}`,
        ...listWith(
          ['These classes cannot take place.', returned > 0 && validity, ...others].filter(Boolean).join(' '),
          booked,
        ),
        ...listWith(
          `These classes had ${booked.length > 0 ? 'also been' : 'been'} cancelled too late for the credit to come back. As they cannot take place, we have returned it. ${booked.length > 0 ? '' : validity}`.trim(),
          cancelledLate,
        ),
        ...listWith(
          `You paid for a companion’s place in these classes, which cannot take place. ${booked.length + cancelledLate.length > 0 ? 'We have returned that credit too.' : validity}`,
          paidFor,
        ),
        hadBookings && awaited.length > 0 && subheading('Classes you were waiting for'),
        ...listWith(
          'These classes cannot take place, so we have closed their waiting lists. You have not been charged.',
          awaited,
        ),
        button('Choose another class', site('/booking')),
        booked.length > 0 && removeFromCalendar(booked.length),
      ],
      attachments: calendarAttachments(booked, 'CANCEL', site),
    }
  },

  'credit-returned': ({ class: studioClass, reason, expiresAt, hasBothCredits }, site) => ({
    subject: hasBothCredits
      ? `Your credits for ${dayAndTime(studioClass)} are back`
      : `Your credit for ${dayAndTime(studioClass)} is back`,
    preview: `We have returned ${hasBothCredits ? 'both credits' : 'the credit'} to your pass.`,
    heading: hasBothCredits ? 'Your credits are back on your pass' : 'Your credit is back on your pass',
    body: [
      hasBothCredits
        ? 'We have returned both credits for this class. You can use them straight away.'
        : 'We have returned the credit for this class. You can use it straight away.',
      classFacts(studioClass, site, {
        more: [
          ['Why', reason],
          ['Your pass is valid until', formatInstantDate(expiresAt)],
        ],
      }),
      button('Book a class', site('/booking')),
    ],
  }),

  'pass-validity': ({ change, packageName, expiresOn, pausedOn, reason }, site) => {
    const until = formatDay(expiresOn)
    const words = {
      paused: {
        subject: `Your ${packageName} is paused`,
        preview: `It is now valid until ${until}.`,
        heading: 'Your pass is paused',
        text: `We have paused your pass. You cannot use it for classes on these days. The days have been added to it, so it is now valid until ${until}.`,
      },
      resumed: {
        subject: `Your ${packageName} can be used again`,
        preview: 'We have ended its pause.',
        heading: 'Your pass can be used again',
        text: `We have ended the pause of your pass, so you can use it again from today. We have taken the unused days of the pause off again. It is valid until ${until}.`,
      },
      extended: {
        subject: `Your ${packageName} is valid until ${until}`,
        preview: 'We have extended your pass.',
        heading: 'Your pass is valid for longer',
        text: `We have extended your pass. It is now valid until ${until}.`,
      },
    }[change]
    const { text, ...head } = words
    return {
      ...head,
      body: [
        text,
        facts(
          ['Pass', packageName],
          pausedOn ? ['Paused from', formatDay(pausedOn.from)] : null,
          pausedOn ? ['Paused until', formatDay(pausedOn.to)] : null,
          reason ? ['Why', reason] : null,
          ['Valid until', until],
        ),
        button('Book a class', site('/booking')),
      ],
    }
  },

  'credits-expire': ({ credits, packageName, expiresOn, booked, free, regular, pausedOn }, site) => ({
    subject: `${many(credits, 'credit')} left until ${formatDay(expiresOn)}`,
    preview: `Your pass ${packageName} is valid until then.`,
    heading: credits === 1 ? 'One credit left to use' : `${credits} credits left to use`,
    body: [
      paragraph(
        `Your pass ${packageName} is valid until ${formatDay(expiresOn)}, and ${many(credits, 'credit')} on it ${credits === 1 ? 'is' : 'are'} not booked yet.`,
        booked > 0 &&
          (booked === 1
            ? ' The class you have already booked is paid for.'
            : ` The ${booked} classes you have already booked are paid for.`),
      ),
      regular &&
        `We book your class ${regular.join(' and ')} as far as your credits go. These credits are left after that.`,
      pausedOn && `Your pass is paused from ${formatDay(pausedOn.from)} to ${formatDay(pausedOn.to)}.`,
      free.length > 0 && subheading('The next free places'),
      free.length > 0 &&
        facts(
          ...free.map((each): Fact => [each.title, `${formatDay(each.date)}, ${each.startTime} - ${each.endTime}`]),
        ),
      button('Book a class', site('/booking')),
      small('If you cannot come before then, for example because you are ill, please reply to this email.'),
    ],
  }),
} satisfies Partial<Templates>

const insteadOf = ({ instructorName, insteadOf: other, isBack }: TaughtBooking) =>
  isBack ? `With ${instructorName} again, no longer with ${other}.` : `With ${instructorName} instead of ${other}.`

/** Until when the credit comes back: until the start if the studio has changed the class, else as always. */
function creditTerms(taught: readonly TaughtBooking[]): string[] {
  const returned = taught.filter(({ hasPassEnded }) => !hasPassEnded)
  const untilStart =
    'If that does not suit you, cancel on your dashboard: until the class starts, the credit comes back.'
  const asAlways = `As always, the credit comes back if you cancel more than ${policies.lateCancellationMinutes} minutes before the class.`
  return [
    ...(returned.some(({ isMoved }) => isMoved) ? [untilStart] : []),
    ...(returned.some(({ isMoved }) => !isMoved) ? [asAlways] : []),
  ]
}

function subjectOfMove(whose: string, from: MailedClass, to: MailedClass): string {
  const hasSameStart = from.date === to.date && from.startTime === to.startTime
  const subject = hasSameStart
    ? `the end of ${whose} on ${dayAndTime(from)} has moved to ${to.endTime}`
    : `${whose} on ${dayAndTime(from)} has moved to ${dayAndTime(to)}`
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

/** For a class that was moved and given to another teacher at once. */
const otherTeacher = (from: MailedClass, to: MailedClass) =>
  from.instructorName === to.instructorName ? '' : ` ${to.instructorName} teaches it instead of ${from.instructorName}.`

const listWith = (intro: string, classes: readonly MailedClass[]) =>
  classes.length > 0
    ? [intro, facts(...classes.map((each): Fact => [`${each.title} with ${each.instructorName}`, when(each)]))]
    : []

function subjectOfClosure({ booked, late, awaited }: Mails['studio-closed']): string {
  if (booked.length === 0 && late[0]) return `We are closed: your credit for ${dayAndTime(late[0])} is back`
  const all = booked.length > 0 ? booked : awaited
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return 'The studio is closed, and classes are cancelled'
  const days =
    first.date === last.date
      ? `on ${formatDay(first.date)}`
      : `from ${formatDay(first.date)} to ${formatDay(last.date)}`
  if (booked.length === 1) return `We are sorry: your class on ${dayAndTime(first)} is cancelled`
  if (booked.length > 1) return `We are sorry: your ${booked.length} classes ${days} are cancelled`
  if (awaited.length === 1) return `${first.title} on ${dayAndTime(first)} is cancelled`
  return `${awaited.length} classes you were waiting for ${days} are cancelled`
}
