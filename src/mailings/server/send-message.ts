import { eq, type SQL, sql } from 'drizzle-orm'
import { recordAdminChange } from '#audit/server/audit.ts'
import { defined } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { refuse } from '#foundation/refusal.ts'
import { NEWSLETTER_UNSUBSCRIBE, TEST_TOKEN } from '#messages/contract.ts'
import type { Mails } from '#messages/mail.ts'
import { queueMails, type TokenOf, unsubscribePath } from '#messages/server/messages.ts'
import { emailPicturePath } from '#pictures/rules.ts'
import { keepPicturesOfEmail, picturesOfEmail } from '#pictures/server/pictures.ts'
import { onlyRow, type Reader, type Tx } from '#platform/database/database.ts'
import {
  type Draft,
  type EmailPicture,
  kindOf,
  LISTED,
  type MessageForm,
  type MessagePreview,
  mailingRefusals,
} from '../contract.ts'
import { fillPlaceholders, joinWithAnd, type Kind } from '../rules.ts'
import { studioMessages } from '../tables.ts'
import { type Addressee, audienceNow, type Reached, splitRecipients } from './audience.ts'
import { toStudioMessage } from './sent-messages.ts'

type Admin = { id: string; firstName: string; lastName: string; email: string }

/** Queues one email for each recipient of a message and records them. Refuses a message without recipients. */
export async function sendMessage(
  tx: Tx,
  admin: Admin,
  form: MessageForm,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
) {
  const { audience, subject, text } = form
  const kind = kindOf(form)
  const { label, people } = await audienceNow(tx, audience, now)
  const { reached, leftOut } = splitRecipients(people, kind)
  if (reached.length === 0) refuse(mailingRefusals.no_recipients)
  await keepPicturesOfEmail(tx, form.pictures)
  const pictures = await picturesOfEmail(tx, form.pictures)
  const values = { audience, audienceLabel: label, kind, subject, text, pictures, adminId: admin.id, sentAt: now }
  const message = onlyRow(
    await tx
      .insert(studioMessages)
      .values({ ...values, recipients: reached.length })
      .returning(),
  )
  const recipients = await addRecipients(tx, message.id, reached, now)
  // Members who are being erased have no row.
  if (recipients.length === 0) refuse(mailingRefusals.no_recipients)
  if (recipients.length < reached.length) {
    await tx.update(studioMessages).set({ recipients: recipients.length }).where(eq(studioMessages.id, message.id))
  }
  const emails = recipients.map(({ person, id }) => emailFor(person, { subject, text, pictures, kind }, id, tokenOf))
  await queueMails(tx, 'studio-message', emails, 'mail-to-many')
  const byPhone = (leftOut.get('no_address') ?? []).filter(({ userId }) => userId !== null)
  if (kind === 'service') {
    const said = byPhone.map((person) => ({ person, words: wordsFor(person, { subject, text }) }))
    await queueMails(
      tx,
      'studio-message',
      said.map(({ person: { userId, firstName }, words }) => ({
        to: { email: null, firstName, userId: userId ?? '' },
        recipientId: null,
        ...words,
        pictures: [],
        unsubscribe: null,
        isNewsletter: false,
      })),
    )
  }
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

/** Sends the message to the admin, as its first recipient would get it. */
export async function sendTest(
  tx: Tx,
  admin: Admin,
  form: MessageForm,
  { tokenOf, now }: { tokenOf: TokenOf; now: Temporal.Instant },
) {
  const { people } = await audienceNow(tx, form.audience, now)
  const kind = kindOf(form)
  const [first] = splitRecipients(people, kind).reached
  const { id: userId, email, firstName, lastName } = admin
  const sender = {
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
  const reader: Reached = { ...sender, booked: [], ...first, email }
  const pictures = await picturesOfEmail(tx, form.pictures)
  const message = { subject: `Test: ${form.subject}`, text: form.text, pictures, kind }
  await queueMails(tx, 'studio-message', [emailFor(reader, message, null, tokenOf)])
  return { message: `A test is on its way to ${email}.` }
}

/** Records the recipients of a message. Locks each until the commit; skips those already erased. */
async function addRecipients(tx: Tx, messageId: number, people: readonly Reached[], now: Temporal.Instant) {
  const [viaList, byName] = [
    people.filter((one) => one.subscriber !== null),
    people.filter((one) => one.subscriber === null),
  ]
  const keys = (all: readonly Reached[]) => sql.param(all.map(keyOf))
  const values = sql`${messageId}::int as message_id, ${now.toString()}::timestamptz as status_at`
  const rows: { id: string; key: string }[] = []
  const add = async (statement: SQL) => rows.push(...(await tx.execute<{ id: string; key: string }>(statement)).rows)
  if (byName.length > 0)
    await add(sql`
      with held as (select id from users where id = any(${keys(byName)}::text[]) order by id for key share)
      insert into message_recipients (user_id, message_id, status_at) select held.id, ${values} from held
      returning id, user_id as key`)
  if (viaList.length > 0)
    await add(sql`
      with held as (
        select token from newsletter_subscribers where token = any(${keys(viaList)}::text[]) order by token for key share)
      insert into message_recipients (subscriber, message_id, status_at) select held.token, ${values} from held
      returning id, subscriber as key`)
  const byKey = new Map(people.map((person) => [keyOf(person), person]))
  return rows.map(({ id, key }) => ({ id, person: defined(byKey.get(key)) }))
}

const keyOf = ({ subscriber, userId }: Addressee) => subscriber ?? userId ?? ''

/** The recipients of a draft, who is left out and why, and the email to the first recipient. */
export async function previewMessage(reader: Reader, draft: Draft, now: Temporal.Instant): Promise<MessagePreview> {
  const kind = kindOf(draft)
  const { label, people } = await audienceNow(reader, draft.audience, now)
  const { reached, leftOut } = splitRecipients(people, kind)
  const [first] = reached
  const { subject, text } = draft
  const pictures = await picturesOfEmail(reader, draft.pictures)
  return {
    audience: label,
    kind,
    recipients: reached.length,
    people: reached.slice(0, LISTED),
    leftOut: [...leftOut].map(([reason, those]) => {
      return { reason, count: those.length, people: those.slice(0, LISTED) }
    }),
    sample: first && subject && text ? { to: first.email, ...wordsFor(first, { subject, text }), pictures } : null,
  }
}

/** The greeting's name for a subscriber whose name is unknown. */
const NO_NAME = 'there'

/** Fills in the placeholders for a recipient, with all of their booked classes. */
function wordsFor({ firstName, booked }: Pick<Addressee, 'firstName' | 'booked'>, of: Words): Words {
  const values = {
    firstName: firstName || NO_NAME,
    classTitle: joinWithAnd([...new Set(booked.map(({ title }) => title))]),
    classTime: joinWithAnd(booked.map(({ date, startTime }) => `${formatDay(date)} at ${startTime}`)),
  }
  return { subject: fillPlaceholders(of.subject, values), text: fillPlaceholders(of.text, values) }
}
type Words = { subject: string; text: string }

/**
 * The email to one recipient.
 *
 * @param recipientId the row that records its outcome; null for a test
 */
function emailFor(
  person: Reached,
  message: Words & { pictures: EmailPicture[]; kind: Kind },
  recipientId: string | null,
  tokenOf: TokenOf,
): Mails['studio-message'] {
  const { subscriber, userId, email, firstName } = person
  const path = () => {
    if (recipientId === null) return `${NEWSLETTER_UNSUBSCRIBE}?token=${TEST_TOKEN}`
    return unsubscribePath(subscriber === null && userId !== null ? { userId } : { email }, tokenOf)
  }
  const unsubscribe = message.kind === 'marketing' ? path() : null
  const to = { email, firstName: firstName || NO_NAME }
  const pictures = message.pictures.map(({ id, ...picture }) => ({ ...picture, path: emailPicturePath(id) }))
  return { to, recipientId, ...wordsFor(person, message), pictures, unsubscribe, isNewsletter: subscriber !== null }
}
