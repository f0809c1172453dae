import { formatDay } from '#foundation/dates.ts'
import { NEWSLETTER_UNSUBSCRIBE, TEST_TOKEN } from '#messages/contract.ts'
import type { Mails } from '#messages/mail.ts'
import { type TokenOf, unsubscribePath } from '#messages/server/messages.ts'
import { filledIn, type Kind, listed } from '../rules.ts'
import type { Addressee } from './audience.ts'

/** Whom no name is known of. */
const SOMEBODY = 'there'

/** What of a message somebody reads: its words filled in. Who has booked several classes reads all of them. */
export function wordsFor({ firstName, booked }: Pick<Addressee, 'firstName' | 'booked'>, of: Words): Words {
  const values = {
    firstName: firstName || SOMEBODY,
    classTitle: listed([...new Set(booked.map(({ title }) => title))]),
    classTime: listed(booked.map(({ date, startTime }) => `${formatDay(date)} at ${startTime}`)),
  }
  return { subject: filledIn(of.subject, values), text: filledIn(of.text, values) }
}
export type Words = { subject: string; text: string }

/**
 * The mail for one of a message's readers.
 *
 * @param recipientId the row that says what becomes of it; null for a test
 */
export function letterFor(
  person: Addressee,
  message: Words & { kind: Kind },
  recipientId: string | null,
  tokenOf: TokenOf,
): Mails['studio-message'] {
  const { subscriber, userId, email, firstName } = person
  const path = () => {
    if (recipientId === null) return `${NEWSLETTER_UNSUBSCRIBE}?token=${TEST_TOKEN}`
    return unsubscribePath(subscriber === null && userId !== null ? { userId } : { email }, tokenOf)
  }
  const unsubscribe = message.kind === 'marketing' ? path() : null
  const to = { email, firstName: firstName || SOMEBODY }
  return { to, recipientId, ...wordsFor(person, message), unsubscribe, isNewsletter: subscriber !== null }
}
