import type { Reader } from '#platform/database/database.ts'
import { type Draft, kindOf, LISTED, type MessagePreview, type Person } from '../contract.ts'
import { type Addressee, audienceNow, sortedOut } from './audience.ts'
import { wordsFor } from './letters.ts'

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
