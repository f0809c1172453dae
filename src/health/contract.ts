import { z } from 'zod'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { cleanPhone } from '#foundation/clean-text.ts'
import { endpoint } from '#foundation/endpoint.ts'
import {
  DateText,
  emailAddress,
  InstantText,
  Message,
  optionalText,
  Paging,
  PathId,
  requiredName,
  requiredText,
  UserPathId,
} from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { HEALTH_READS, questionnaireFields, UNREADABLE } from './rules.ts'

export const healthRefusals = refusals({
  health_update_not_found: [404, 'Health update not found.'],
  user_not_found: [404, 'User not found.'],
  fills_in_own_form: [400, 'This member has an email address and fills in the health form themselves.'],
  signed_in_future: [400, 'The form cannot be signed in the future.'],
  health_consent_missing: [
    400,
    'This member has not agreed to the use of health information, so a note cannot be kept. Ask them to fill in the health form.',
  ],
})

export const PregnancyStatus = z.enum(['not_pregnant', 'pregnant', 'postnatal', 'prefer_not_to_say'])
export const FitnessLevel = z.enum(['beginner', 'intermediate', 'advanced'])
export const ExerciseFrequency = z.enum(['never', 'rarely', 'weekly', 'daily'])
export const PilatesExperience = z.enum(['none', 'beginner', 'some_experience', 'experienced'])

/** Optional; an empty string counts as left out. */
const choice = <E extends z.ZodType>(values: E) => values.nullish().or(z.literal('').transform(() => null))
const flag = z.boolean('Answer yes or no.').nullish()

/** Every field is optional. */
export const QuestionnaireForm = z.object({
  ...questionnaireFields(
    () => optionalText(),
    () => flag,
    {
      pregnancyStatus: choice(PregnancyStatus),
      fitnessLevel: choice(FitnessLevel),
      exerciseFrequency: choice(ExerciseFrequency),
      pilatesExperience: choice(PilatesExperience),
    },
  ),
  marketingConsent: flag,
})
export type QuestionnaireForm = z.output<typeof QuestionnaireForm>

export const Unreadable = z
  .object({ unreadable: z.literal(UNREADABLE), updatedAt: InstantText })
  .meta({ id: 'UnreadableRecord' })
export type Unreadable = z.output<typeof Unreadable>

const text = z.string().nullable()
const answer = z.boolean()
export const Questionnaire = z
  .object({
    ...questionnaireFields(
      () => text,
      () => answer,
      {
        pregnancyStatus: PregnancyStatus.nullable(),
        fitnessLevel: FitnessLevel.nullable(),
        exerciseFrequency: ExerciseFrequency.nullable(),
        pilatesExperience: PilatesExperience.nullable(),
      },
    ),
    marketingConsent: answer,
    updatedAt: InstantText,
  })
  .meta({ id: 'HealthQuestionnaire' })
export type Questionnaire = z.output<typeof Questionnaire>

const CONTACT_PHONE = 'Please enter a valid phone number'
export const EmergencyContactForm = z.object({
  contactName: requiredName('Emergency contact name is required', 255, 'Name is too long'),
  relationship: requiredText('Relationship is required', 100, 'Relationship is too long'),
  phoneNumber: z
    .string('Phone number is required')
    .overwrite(cleanPhone)
    .min(1, 'Phone number is required')
    .max(50, CONTACT_PHONE)
    .regex(/^[\d\s\-+()]{8,}$/, CONTACT_PHONE),
  email: z
    .union([z.literal(''), emailAddress('Please enter a valid email address')], {
      error: 'Please enter a valid email address',
    })
    .nullish(),
})
export type EmergencyContactForm = z.output<typeof EmergencyContactForm>

const accepted = (message: string) => z.boolean(message).refine((isTicked) => isTicked, message)

/** Checked in the browser and not sent; saving records the time and the version of the texts. */
export const ConsentForm = z.object({
  healthDisclaimer: accepted('You must accept the health disclaimer'),
  dataConsent: accepted('You must consent to data processing'),
})

export const EmergencyContact = z
  .object({
    name: z.string(),
    relationship: z.string(),
    phone: z.string(),
    email: z.string().nullable(),
    updatedAt: InstantText,
  })
  .meta({ id: 'EmergencyContact' })
export type EmergencyContact = z.output<typeof EmergencyContact>

export const getQuestionnaire = endpoint('GET /api/health/questionnaire', {
  who: 'member',
  summary: "The member's own questionnaire, or null",
  response: Questionnaire.or(Unreadable).nullable(),
})
export const saveQuestionnaire = endpoint('POST /api/health/questionnaire', {
  isPrivate: true,
  who: 'member',
  summary: "Save the member's questionnaire, replacing the previous one",
  body: QuestionnaireForm,
  response: Questionnaire,
})
export const getEmergencyContact = endpoint('GET /api/health/emergency-contact', {
  who: 'member',
  summary: "The member's own emergency contact, or null",
  response: EmergencyContact.or(Unreadable).nullable(),
})
export const saveEmergencyContact = endpoint('POST /api/health/emergency-contact', {
  isPrivate: true,
  who: 'member',
  summary: "Save the member's emergency contact, replacing the previous one",
  body: EmergencyContactForm,
  response: EmergencyContact,
})

export const HealthUpdate = z
  .object({
    id: z.int(),
    userId: z.string(),
    user: z.object({ firstName: z.string(), lastName: z.string(), email: z.string().nullable() }),
    updateType: z.enum(['questionnaire_updated', 'emergency_contact_updated']),
    /** The member's first update of this type. */
    isFirst: z.boolean(),
    createdAt: InstantText,
    /** JSON text: field → { old, new }. */
    changes: z.string(),
    /** Present if the changes cannot be decrypted; `changes` is `{}` then. */
    unreadable: z.literal(UNREADABLE).optional(),
    notificationSent: z.boolean(),
  })
  .meta({ id: 'HealthUpdate' })
export type HealthUpdate = z.output<typeof HealthUpdate>

export const listHealthUpdates = endpoint('GET /api/admin/health-updates', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: 'Health updates, those not marked as sent first, then newest first; reading them is recorded',
  /** `by=day`: a page has whole days of a member, and `limit` and `offset` count these. */
  query: Paging.extend({ by: z.literal('day').optional() }),
  response: z.array(HealthUpdate),
})
export const markHealthUpdateSent = endpoint('POST /api/admin/health-updates/:id/mark-sent', {
  isPrivate: true,
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: 'Mark a health update as sent, and `also` those that were shown with it',
  params: PathId,
  body: z.object({ also: z.array(z.int()).max(1000).nullish() }),
  response: HealthUpdate,
  refusals: [healthRefusals.health_update_not_found],
})

/**
 * Only what an instructor must know before the class: no free text, and no diagnosis that makes no difference on the
 * reformer. Source: docs/studio-rules.md#health
 */
export const InstructorNote = z.enum([
  'heart_condition',
  'high_blood_pressure',
  'breathing_problems',
  'back_problems',
  'joint_problems',
  'injuries',
  'pregnant',
  'postnatal',
  /** The answers cannot be decrypted, so the instructor must ask. */
  'unreadable',
])
export type InstructorNote = z.output<typeof InstructorNote>

/** What the instructor wrote about a member's session. */
export const SessionNote = z
  .object({
    /** Null if it cannot be decrypted. */
    text: z.string().nullable(),
    author: z.string().nullable(),
    writtenAt: InstantText,
  })
  .meta({ id: 'SessionNote' })
export type SessionNote = z.output<typeof SessionNote>

export const MemberHealth = z
  .object({
    member: z.object({ id: z.string(), firstName: z.string(), lastName: z.string() }),
    questionnaire: Questionnaire.or(Unreadable).nullable(),
    emergencyContact: EmergencyContact.or(Unreadable).nullable(),
  })
  .meta({ id: 'MemberHealth' })
export type MemberHealth = z.output<typeof MemberHealth>

export const getMemberHealth = endpoint('GET /api/admin/users/:id/health', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: "A member's health answers and emergency contact; reading them is recorded",
  params: UserPathId,
  response: MemberHealth,
  refusals: [healthRefusals.user_not_found],
})

const Reader = z.object({
  id: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
})

export const HealthRead = z
  .object({
    id: z.int(),
    /** For a deleted account only the id. */
    admin: Reader,
    member: Reader,
    what: z.enum(HEALTH_READS),
    at: InstantText,
  })
  .meta({ id: 'HealthRead' })
export type HealthRead = z.output<typeof HealthRead>

export const listHealthReads = endpoint('GET /api/admin/health-reads', {
  summary: "Who at the studio read whose health data, newest first; `search` matches members' names",
  query: Paging,
  response: z.array(HealthRead),
})

/** A health form that a member without an email address filled in on paper. */
export const PaperForm = z.object({
  /** The day on which the member signed, `YYYY-MM-DD`: the date of their consent. */
  signedOn: DateText('Please enter the day on which they signed'),
  questionnaire: QuestionnaireForm,
  contact: EmergencyContactForm,
})
export type PaperForm = z.output<typeof PaperForm>

export const savePaperForm = endpoint('PUT /api/admin/users/:id/health', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary: 'Type in the paper health form of a member without an email address; recorded as a reading',
  params: UserPathId,
  body: PaperForm,
  response: Message,
  refusals: [healthRefusals.user_not_found, healthRefusals.fills_in_own_form, healthRefusals.signed_in_future],
})
