import type { Mails } from '../../mail.ts'
import { invitationPath } from '../link-tokens.ts'
import { button, small, type Templates } from './layout.ts'
import { classFacts, dayAndTime, hourOf, momentOf } from './words.ts'

const WHY_INVITATION_ENDED: Record<Mails['invitation-ended']['why'], (invitedBy: string) => string> = {
  expired: () => 'The time to accept has passed, so we have let the place go.',
  declined: (invitedBy) => `You have declined it. We have let ${invitedBy} know.`,
  withdrawn: () => 'The place is no longer held for you.',
  class_cancelled: () => 'We had to cancel this class. We are sorry.',
  pass_ended: () => 'The place is no longer held for you.',
}

const WHY_HOLD_ENDED: Record<Mails['held-place-ended']['why'], (companion: string) => string> = {
  expired: (companion) => `${companion} did not accept in time, so we have let the second place go.`,
  withdrawn: (companion) => `We no longer hold the second place for ${companion}.`,
  class_cancelled: (companion) => `We had to cancel this class, so we no longer hold a place for ${companion}.`,
  pass_ended: (companion) =>
    `The payment for your pass was returned, so we no longer hold the second place for ${companion}.`,
}

/** Asks a companion who has a place in one class whether they come along every week. */
function everyWeek(
  {
    invitedBy,
    until,
    every,
    linkId,
  }: Pick<Mails['companion-invited'], 'invitedBy' | 'until' | 'linkId'> & {
    every: { day: string; startTime: string }
  },
  site: Parameters<Templates['companion-invited']>[1],
  tokenOf: Parameters<Templates['companion-invited']>[2],
) {
  const slot = `every ${every.day} at ${every.startTime}`
  return {
    subject: `${invitedBy} would like you to come ${slot}`,
    preview: `Answer by ${momentOf(until)}. ${invitedBy} pays for your places.`,
    heading: 'Would you like to come every week?',
    body: [
      `${invitedBy} has a regular booking ${slot} and would like you to come along. ${invitedBy} pays for your places. The class that you have accepted stays booked either way.`,
      'Once you agree, we book the next classes for you. You can skip a date or stop at any time.',
      button('See the invitation', site(invitationPath(linkId, tokenOf))),
      small('Until you agree, only the class that you have accepted is booked for you.'),
    ],
  }
}

export const companionMails = {
  'companion-invited': ({ class: studioClass, invitedBy, until, linkId, from, every, isBooked }, site, tokenOf) => {
    if (every && isBooked) return everyWeek({ invitedBy, until, every, linkId }, site, tokenOf)
    return {
      subject: from
        ? `The class with ${invitedBy} has moved to ${dayAndTime(studioClass)}`
        : `${invitedBy} has booked you a place on ${dayAndTime(studioClass)}`,
      preview: `Accept by ${momentOf(until)} to keep the place. ${invitedBy} has paid for it.`,
      heading: from ? 'The class has moved' : `A place next to ${invitedBy}`,
      hour: hourOf(studioClass),
      body: [
        from
          ? `We have moved the class that ${invitedBy} invited you to. The place is still held for you.`
          : `${invitedBy} has booked a class for two and would like you to come along. The place is paid for.`,
        every &&
          `Once you accept, we book every ${every.day} at ${every.startTime} for you too. ${invitedBy} pays, and you can skip a date or stop at any time.`,
        classFacts(studioClass, site, { before: from, more: [['Held for you until', momentOf(until)]] }),
        button('See the invitation', site(invitationPath(linkId, tokenOf))),
        small(
          'You can accept or decline there. If you are new to us, we’ll ask you to fill in a short health form first. If you would rather not be invited, choose “Don’t invite me again”.',
        ),
      ],
    }
  },

  'invitation-ended': ({ class: studioClass, invitedBy, why }, site) => ({
    subject: `Your invitation for ${dayAndTime(studioClass)} has ended`,
    preview: WHY_INVITATION_ENDED[why](invitedBy),
    heading: 'Your invitation has ended',
    body: [
      `${invitedBy} invited you to this class. ${WHY_INVITATION_ENDED[why](invitedBy)}`,
      classFacts(studioClass, site),
      button('See our classes', site('/booking')),
    ],
  }),

  'companion-answered': ({ class: studioClass, companion, answer, every, isBooked }, site) => {
    const isComing = answer === 'accepted'
    if (every && isBooked) {
      const slot = `every ${every.day} at ${every.startTime}`
      const text = isComing
        ? `${companion} comes along ${slot}. We book the second places too, as far as your credits reach.`
        : `${companion} does not come along ${slot}. The class that they had accepted stays booked.`
      return {
        subject: isComing ? `${companion} is coming ${slot}` : `${companion} is not coming ${slot}`,
        preview: text,
        heading: isComing ? `${companion} is coming with you` : `${companion} has declined`,
        body: [text, button('See your bookings', site('/dashboard'))],
      }
    }
    return {
      subject: isComing
        ? `${companion} is coming on ${dayAndTime(studioClass)}`
        : `${companion} cannot come on ${dayAndTime(studioClass)}`,
      preview: isComing ? 'Both places are booked.' : 'Your credit is back on your pass.',
      heading: isComing ? `${companion} is coming with you` : `${companion} has declined`,
      hour: isComing ? hourOf(studioClass) : undefined,
      body: [
        isComing
          ? `${companion} has accepted your invitation, so both places are booked.`
          : `${companion} has declined your invitation. The credit for the second place is back on your pass. You keep your own place.`,
        classFacts(studioClass, site),
        button('See your bookings', site('/dashboard')),
      ],
    }
  },

  'held-place-ended': ({ class: studioClass, companion, why, isCreditLost }, site) => {
    const credit = isCreditLost
      ? 'The pass that paid has ended, so we cannot return the credit.'
      : 'The credit for it is back on your pass.'
    return {
      subject: `We no longer hold a place for ${companion} on ${dayAndTime(studioClass)}`,
      preview: credit,
      heading: 'The place is no longer held',
      body: [
        `${WHY_HOLD_ENDED[why](companion)} ${credit}`,
        classFacts(studioClass, site),
        button('See your bookings', site('/dashboard')),
      ],
    }
  },

  'other-place-ended': ({ class: studioClass, other, credit }, site) => {
    const outcomes = {
      credit_returned: ' The credit you paid for the place is back on your pass.',
      forfeited: ' It was too late for the credit you paid for the place to be returned.',
      pass_ended: ' The pass that paid for it has ended.',
    }
    return {
      subject: `${other} is no longer coming on ${dayAndTime(studioClass)}`,
      preview: 'This does not change your own booking.',
      heading: `${other} is no longer coming`,
      body: [
        `${other}’s place in this class has been cancelled.${credit ? outcomes[credit] : ''} This does not change your own booking.`,
        classFacts(studioClass, site),
        button('See your bookings', site('/dashboard')),
      ],
    }
  },
} satisfies Partial<Templates>
