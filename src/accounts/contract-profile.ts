import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { emailAddress, InstantText, phoneNumber } from '#foundation/fields.ts'
import { optionalPersonName, personName } from '#foundation/person-names.ts'
import { commonRefusals, refusals } from '#foundation/refusal.ts'
import { accountRefusals, mailedToken, User } from './contract.ts'
import { FACTOR_STEP_UP_AFTER_MINUTES } from './rules.ts'

export const profileRefusals = refusals({
  email_unchanged: [400, 'This is already your email address.'],
  email_change_expired: [400, 'This link is no longer valid. Please ask for the change again on your dashboard.'],
  no_email_change: [404, 'There is no change of your email address to confirm.'],
})

export const ProfileForm = z.object({
  firstName: personName('First name is required'),
  lastName: personName('Last name is required'),
  /** Empty removes it. */
  phone: phoneNumber,
})
export type ProfileForm = z.output<typeof ProfileForm>
/** For a member without a last name. */
export const OneNameProfileForm = ProfileForm.extend({ lastName: optionalPersonName })

export const editProfile = endpoint('PUT /api/user/profile', {
  who: 'member',
  summary: 'Change your name and phone number',
  body: ProfileForm.extend({
    /** Absent for a member without a last name. */
    lastName: ProfileForm.shape.lastName.nullish(),
    phone: phoneNumber.nullish(),
  }),
  response: User,
})

/** Null on a site that sends no texts. */
export const TextChoice = z.object({ wanted: z.boolean().nullable() }).meta({ id: 'TextChoice' })

export const getTextChoice = endpoint('GET /api/user/texts', {
  who: 'member',
  summary: 'Whether you want texts about your classes at short notice',
  response: TextChoice,
})

export const TextChoiceForm = z.object({ wanted: z.boolean('Please choose') })
export type TextChoiceForm = z.output<typeof TextChoiceForm>

export const chooseTexts = endpoint('PUT /api/user/texts', {
  who: 'member',
  summary: 'Switch texts about your classes on or off',
  body: TextChoiceForm,
  response: TextChoice,
})

/** An address that the member has asked for; it changes when they follow the link that we emailed to it. */
export const PendingEmail = z
  .object({ email: z.string(), requestedAt: InstantText, expiresAt: InstantText })
  .meta({ id: 'PendingEmail' })
export type PendingEmail = z.output<typeof PendingEmail>

export const getEmailChange = endpoint('GET /api/user/email-change', {
  who: 'member',
  summary: 'The change of your email address that waits for confirmation, or null',
  response: PendingEmail.nullable(),
})

export const EmailChangeForm = z.object({ email: emailAddress('Invalid email address') })
export const requestEmailChange = endpoint('POST /api/user/email-change', {
  who: 'member',
  stepUpAfterMinutes: FACTOR_STEP_UP_AFTER_MINUTES,
  summary: 'Ask for another email address: emails a link to it, and replaces an earlier request',
  body: EmailChangeForm,
  response: PendingEmail,
  refusals: [
    accountRefusals.email_taken,
    profileRefusals.email_unchanged,
    commonRefusals.second_factor_missing,
    commonRefusals.too_many_requests,
  ],
})

export const resendEmailChange = endpoint('POST /api/user/email-change/resend', {
  who: 'member',
  summary: 'Email the link again',
  response: PendingEmail,
  refusals: [profileRefusals.no_email_change, commonRefusals.too_many_requests],
})

export const cancelEmailChange = endpoint('DELETE /api/user/email-change', {
  who: 'member',
  summary: 'Keep your email address: the emailed link stops working',
  says: 'Your email address stays as it is.',
})

export const confirmEmailChange = endpoint('POST /api/email-change/confirm', {
  who: 'anyone',
  summary:
    'Change an email address with the link that was emailed to the new one; emails the old one a link to undo it',
  body: z.object({ token: mailedToken }),
  response: z.object({ email: z.string() }),
  refusals: [profileRefusals.email_change_expired, accountRefusals.email_taken],
})
