import { eq, sql } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { refuse } from '#foundation/refusal.ts'
import { NEWSLETTER_UNSUBSCRIBE, TEST_TOKEN } from '#messages/contract.ts'
import type { Mails } from '#messages/mail.ts'
import { queueMails, type TokenOf, unsubscribePath } from '#messages/server/messages.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import {
  type Draft,
  kindOf,
  LISTED,
  type MessageForm,
  type MessagePreview,
  mailingRefusals,
  type Person,
  type StudioMessage,
} from '../contract.ts'
import { filledIn, type Kind, listed } from '../rules.ts'
import { studioMessages } from '../tables.ts'
import { type Addressee, audienceNow, sortedOut } from './audience.ts'
import { toStudioMessage } from './sent-messages.ts'

type Admin = { id: string; firstName: string; lastName: string; email: string }

/**
 * Sends a message to everybody of its audience whom it may reach: one mail each, queued together. What becomes of each is
 * kept. Refuses when that is nobody.
 */
export async function sendMessage(
  tx: Tx,
  admin: Admin,
  form: MessageForm,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
): Promise<StudioMessage> {
  const { audience, subject, text } = form
  const kind = kindOf(form)
  const { label, people } = await audienceNow(tx, audience, now)
  const { reached } = sortedOut(people, kind)
  if (reached.length === 0) refuse(mailingRefusals.no_recipients)
  const meant = { audience, audienceLabel: label, kind, subject, text, adminId: admin.id, sentAt: now }
  const message = onlyRow(
    await tx
      .insert(studioMessages)
      .values({ ...meant, recipients: reached.length })
      .returning(),
  )
  const recipients = await addRecipients(tx, message.id, reached, now)
  // Whoever was erased while the message was on its way to them has no row.
  if (recipients.length === 0) refuse(mailingRefusals.no_recipients)
  if (recipients.length < reached.length) {
    await tx.update(studioMessages).set({ recipients: recipients.length }).where(eq(studioMessages.id, message.id))
  }
  const letters = recipients.map(({ person, id }) => letterFor(person, { subject, text, kind }, id, tokenOf))
  await queueMails(tx, 'studio-message', letters, 'mail-to-many')
  await recordAdminChange(
    tx,
    admin,
    {
      action: 'sent',
      subject: { kind: 'message', id: message.id },
      changes: { audience: { after: label }, kind: { after: kind }, recipients: { after: recipients.length } },
    },
    now,
  )
  const sentBy = `${admin.firstName} ${admin.lastName}`
  const sent = { ...message, recipients: recipients.length }
  return toStudioMessage(sent, sentBy, { queued: recipients.length, handed_over: 0, failed: 0, left_out: 0 })
}

/** Sends a message to the admin who is writing it, as the first of its readers would get it. */
export async function sendTest(
  tx: Tx,
  admin: Admin,
  form: MessageForm,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
) {
  const { people } = await audienceNow(tx, form.audience, now)
  const kind = kindOf(form)
  const [first] = sortedOut(people, kind).reached
  const { id: userId, email, firstName, lastName } = admin
  const nobody = {
    userId,
    firstName,
    lastName,
    phone: null,
    subscriber: null,
    agreedAt: null,
    objectedAt: null,
    isRefused: false,
    isBlocked: false,
  }
  const reader: Addressee = { ...nobody, booked: [], ...first, email }
  const letter = letterFor(reader, { subject: `Test: ${form.subject}`, text: form.text, kind }, null, tokenOf)
  await queueMails(tx, 'studio-message', [letter])
  return { message: `A test is on its way to ${email}.` }
}

/**
 * Writes down whom a message goes to. Each is held until this commits, so that nobody can be erased meanwhile; who has just
 * been is left out.
 */
async function addRecipients(tx: Tx, messageId: number, people: readonly Addressee[], now: Temporal.Instant) {
  const [viaList, byName] = [
    people.filter((one) => one.subscriber !== null),
    people.filter((one) => one.subscriber === null),
  ]
  const keys = (all: readonly Addressee[]) => sql.param(all.map(keyOf))
  const values = sql`${messageId}::int as message_id, ${now.toString()}::timestamptz as status_at`
  const { rows } = await tx.execute<{ id: string; key: string }>(
    byName.length > 0
      ? sql`
        with held as (select id from users where id = any(${keys(byName)}::text[]) order by id for key share)
        insert into message_recipients (user_id, message_id, status_at) select held.id, ${values} from held
        returning id, user_id as key`
      : sql`
        with held as (
          select token from newsletter_subscribers where token = any(${keys(viaList)}::text[]) order by token for key share)
        insert into message_recipients (subscriber, message_id, status_at) select held.token, ${values} from held
        returning id, subscriber as key`,
  )
  const byKey = new Map(people.map((person) => [keyOf(person), person]))
  return rows.map(({ id, key }) => ({ id, person: defined(byKey.get(key)) }))
}

const keyOf = ({ subscriber, userId }: Addressee) => subscriber ?? userId ?? ''

/** Who a message would reach, who is left out and why, and how the first of them would read it. */
export async function previewMessage(reader: Reader, draft: Draft, now: Temporal.Instant): Promise<MessagePreview> {
  const kind = kindOf(draft)
  const { label, people } = await audienceNow(reader, draft.audience, now)
  const { reached, leftOut } = sortedOut(people, kind)
  const [first] = reached
  const { subject, text } = draft
  return {
    audience: label,
    kind,
    recipients: reached.length,
    people: reached.slice(0, LISTED).map(toPerson),
    leftOut: [...leftOut].map(([reason, those]) => {
      return { reason, count: those.length, people: those.slice(0, LISTED).map(toPerson) }
    }),
    sample: first && subject && text ? { to: first.email, ...wordsFor(first, { subject, text }) } : null,
  }
}

const toPerson = ({ userId, firstName, lastName, email, phone }: Addressee): Person => {
  return { userId, firstName, lastName, email, phone }
}

/** Whom no name is known of. */
const SOMEBODY = 'there'

/** What of a message somebody reads: its words filled in. Who has booked several classes reads all of them. */
function wordsFor({ firstName, booked }: Pick<Addressee, 'firstName' | 'booked'>, of: Words): Words {
  const values = {
    firstName: firstName || SOMEBODY,
    classTitle: listed([...new Set(booked.map(({ title }) => title))]),
    classTime: listed(booked.map(({ date, startTime }) => `${formatDay(date)} at ${startTime}`)),
  }
  return { subject: filledIn(of.subject, values), text: filledIn(of.text, values) }
}
type Words = { subject: string; text: string }

/**
 * The mail for one of a message's readers.
 *
 * @param recipientId the row that says what becomes of it; null for a test
 */
function letterFor(
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
