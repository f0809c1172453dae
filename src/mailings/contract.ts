import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import {
  DateText,
  Id,
  InstantText,
  isInOrder,
  Message,
  Paging,
  PathId,
  requiredText,
  spansAtMost,
} from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { pictureRefusals } from '#pictures/contract.ts'
import { MAX_EMAIL_PICTURES } from '#pictures/rules.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import { isNudge, LISTS, placeholderError, REASONS } from './rules.ts'

export const mailingRefusals = refusals({
  no_recipients: [400, 'This message has no recipients.'],
  message_not_found: [404, 'This message does not exist.'],
})

const MAX_DAYS = 366
const MAX_NAMED = 1000
const WHO = 'Please choose recipients'

/** The recipients: people in a class or in the classes of some days, named members, a list, all, or subscribers. */
export const Audience = z.union(
  [
    z.object({ classId: Id }),
    z
      .object({ from: DateText('Please choose the first day'), to: DateText('Please choose the last day') })
      .refine(isInOrder, { path: ['to'], message: 'The last day cannot be before the first' })
      .refine(spansAtMost(MAX_DAYS), { path: ['to'], message: 'Please choose at most a year' }),
    z.object({ userIds: z.array(z.string().min(1).max(64)).min(1).max(MAX_NAMED) }),
    z.object({ list: z.enum(LISTS) }),
    z.enum(['members', 'newsletter']),
  ],
  WHO,
)
export type Audience = z.output<typeof Audience>

/** By default service, unless the audience allows marketing only. */
const Kind = z.enum(['service', 'marketing'], 'Please choose service or marketing').nullish()

type Written = {
  audience: Audience
  kind?: 'service' | 'marketing' | null
  subject?: string | null
  text?: string | null
}

/** Whether everyone in the audience has a booking. */
export const knowsClasses = (audience: Audience) =>
  typeof audience === 'object' && ('classId' in audience || 'from' in audience)

/** Whether every message to the audience counts as marketing. */
export const isMarketingOnly = (audience: Audience) =>
  audience === 'newsletter' || (typeof audience === 'object' && 'list' in audience && isNudge(audience.list))

/** The given kind, or the default of the audience. */
export const kindOf = ({ audience, kind }: Written) => kind ?? (isMarketingOnly(audience) ? 'marketing' : 'service')

type Issues = { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void }
/** Checks across fields. */
function checkWritten(written: Written, { addIssue }: Issues): void {
  const { audience, kind, subject, text } = written
  for (const [field, words] of [['subject', subject] as const, ['text', text] as const]) {
    const message = placeholderError(words ?? '', knowsClasses(audience))
    if (message) addIssue({ code: 'custom', path: [field], message })
  }
  if (isMarketingOnly(audience) && kind === 'service') {
    const what = audience === 'newsletter' ? 'The newsletter' : 'A nudge'
    addIssue({ code: 'custom', path: ['kind'], message: `${what} is marketing: please choose marketing` })
  }
}

const SUBJECT = 'Please enter a subject'
const TEXT = 'Please write the message'
const [SUBJECT_LENGTH, TEXT_LENGTH] = [200, 5000]

/** Uploaded pictures, which an email shows below its text. */
const Pictures = z
  .array(
    z.object({
      id: z.string('Please upload the picture first').max(64),
      alt: requiredText('Please describe the picture for people who cannot see it', 250),
    }),
  )
  .max(MAX_EMAIL_PICTURES, `Please use at most ${MAX_EMAIL_PICTURES} pictures`)
  .default([])

const EmailPicture = z.object({ id: z.string(), alt: z.string(), width: z.int(), height: z.int() })
export type EmailPicture = z.output<typeof EmailPicture>

/** Plain text with placeholders such as `{firstName}` (`rules.ts`). */
export const MessageForm = z
  .object({
    audience: Audience,
    kind: Kind,
    subject: requiredText(SUBJECT, SUBJECT_LENGTH),
    text: requiredText(TEXT, TEXT_LENGTH),
    pictures: Pictures,
  })
  .superRefine(checkWritten)
export type MessageForm = z.output<typeof MessageForm>

/** The same while it is being written: only the audience is required. */
const Draft = z
  .object({
    audience: Audience,
    kind: Kind,
    subject: z.string(SUBJECT).max(SUBJECT_LENGTH, `Please use at most ${SUBJECT_LENGTH} characters`).nullish(),
    text: z.string(TEXT).max(TEXT_LENGTH, `Please use at most ${TEXT_LENGTH} characters`).nullish(),
    pictures: Pictures,
  })
  .superRefine(checkWritten)
export type Draft = z.output<typeof Draft>
export type DraftInput = z.input<typeof Draft>

/** A member or, with `userId` null, a newsletter subscriber who is not a member. */
const Person = z.object({
  userId: z.string().nullable(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
})
export type Person = z.output<typeof Person>

/** At most this many people are listed. All are counted. */
export const LISTED = 1000

export const MessagePreview = z
  .object({
    audience: z.string(),
    kind: z.enum(['service', 'marketing']),
    recipients: z.int(),
    people: z.array(Person),
    leftOut: z.array(z.object({ reason: z.enum(REASONS), count: z.int(), people: z.array(Person) })),
    /** The email to the first recipient; null without recipients, subject or text. */
    sample: z
      .object({ to: z.string(), subject: z.string(), text: z.string(), pictures: z.array(EmailPicture) })
      .nullable(),
  })
  .meta({ id: 'MessagePreview' })
export type MessagePreview = z.output<typeof MessagePreview>

export const previewMessage = endpoint('POST /api/admin/messages/preview', {
  summary: 'The recipients of a message, who is left out and why, and a sample; sends nothing',
  body: Draft,
  response: MessagePreview,
  refusals: [timetableRefusals.class_not_found, pictureRefusals.picture_not_found],
})

export const testMessage = endpoint('POST /api/admin/messages/test', {
  summary: 'Send the message to oneself, as its first recipient would get it',
  body: MessageForm,
  response: Message,
  refusals: [timetableRefusals.class_not_found, pictureRefusals.picture_not_found],
})

/** A sent message and its outcomes: `recipients` = handed over + failed + queued + left out + erased since. */
export const StudioMessage = z
  .object({
    id: z.int(),
    audience: z.string(),
    kind: z.enum(['service', 'marketing']),
    subject: z.string(),
    text: z.string(),
    pictures: z.array(EmailPicture),
    sentAt: InstantText,
    sentBy: z.string().nullable(),
    recipients: z.int(),
    /** Accepted by the mail server. */
    handedOver: z.int(),
    /** Waiting or being retried. */
    queued: z.int(),
    failed: z.int(),
    /** Unsubscribed before it was sent to them. */
    leftOut: z.int(),
  })
  .meta({ id: 'StudioMessage' })
export type StudioMessage = z.output<typeof StudioMessage>

export const sendMessage = endpoint('POST /api/admin/messages', {
  summary: 'Send a message to an audience: queues one email for each recipient',
  body: MessageForm,
  response: StudioMessage,
  status: 202,
  refusals: [timetableRefusals.class_not_found, mailingRefusals.no_recipients, pictureRefusals.picture_not_found],
})

export const listMessages = endpoint('GET /api/admin/messages', {
  summary: 'Sent messages and their outcomes, newest first',
  query: Paging.pick({ limit: true, offset: true }),
  response: z.array(StudioMessage),
})

export const getMessage = endpoint('GET /api/admin/messages/:id', {
  summary: 'A sent message and the first 1,000 people it did not reach',
  params: PathId,
  response: StudioMessage.extend({ notReached: z.array(Person.extend({ reason: z.string().nullable() })) }).meta({
    id: 'StudioMessageInFull',
  }),
  refusals: [mailingRefusals.message_not_found],
})

export const Prompts = z
  .object({
    /** Classes of the next seven days that have not started. */
    week: z.object({ classes: z.int(), places: z.int(), taken: z.int() }),
    /** How many members are on each list. */
    lists: z.record(z.enum(LISTS), z.int()),
    /** Members with health updates that have not been marked as sent. */
    withNewHealth: z.int(),
  })
  .meta({ id: 'Prompts' })
export type Prompts = z.output<typeof Prompts>

export const getPrompts = endpoint('GET /api/admin/prompts', {
  summary: 'How full the next seven days are, how many members are on each list or have new health updates',
  response: Prompts,
})

export const WeekClass = z
  .object({
    id: z.int(),
    title: z.string(),
    date: z.iso.date(),
    startTime: z.string(),
    maxParticipants: z.int(),
    bookedCount: z.int(),
    /** Free places kept for the waiting list until the morning. */
    reservedPlaces: z.int(),
    people: z.array(z.object({ userId: z.string(), firstName: z.string(), lastName: z.string() })),
  })
  .meta({ id: 'WeekClass' })
export type WeekClass = z.output<typeof WeekClass>

export const listWeek = endpoint('GET /api/admin/prompts/week', {
  summary: 'The classes of the next seven days that have not started, with their members but without health data',
  response: z.array(WeekClass),
})

export const Prompted = z
  .object({
    userId: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().nullable(),
    /** Expiring or remaining credits; null on other lists. */
    credits: z.int().nullable(),
    /** When the credits expire, the last class ended, or the next one starts. */
    at: InstantText,
    /** Whether news and offers may go to them. */
    mayNudge: z.boolean(),
  })
  .meta({ id: 'Prompted' })
export type Prompted = z.output<typeof Prompted>

export const listPrompted = endpoint('GET /api/admin/prompts/people', {
  summary: 'The members on a list, the most urgent first',
  query: Paging.pick({ limit: true, offset: true }).extend({ list: z.enum(LISTS, 'Please choose a list') }),
  response: z.array(Prompted),
})
