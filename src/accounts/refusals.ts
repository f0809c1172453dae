import { refusals } from '#foundation/refusal.ts'

export const accountRefusals = refusals({
  invalid_credentials: [401, 'Invalid username or password'],
  email_not_verified: [401, 'Please check your email to verify your account before logging in.'],
  email_taken: [400, 'An account with this email address already exists.'],
  username_taken: [400, 'This username is already taken.'],
  already_invited: [
    400,
    'We already have an account for this address. We have sent you an email with a link to set your password.',
  ],
  password_already_set: [400, 'This member already has a password, so they do not need an invitation.'],
  common_password: [400, 'This password is too common. Choose another one, such as three unrelated words.'],
  link_expired: [400, 'This link is no longer valid. Please ask for a new one.'],
  verification_expired: [
    400,
    'This link has expired or has already been used. Log in to get a new link if your address is not confirmed yet.',
  ],
  email_needed: [400, 'This member has no email address. Please add one first.'],
  phone_needed: [400, 'A member without an email address needs a phone number.'],
  user_not_found: [404, 'User not found.'],
  account_blocked: [403, 'Your account is on hold, so you cannot book or buy anything. Please contact the studio.'],
  cannot_block_admin: [400, 'You cannot block an admin. Remove their admin rights first.'],
  cannot_block_teacher: [400, 'You cannot block a teacher. Take away the teacher role first.'],
  cannot_promote_blocked_member: [400, 'A blocked member cannot become an admin or teacher. Unblock them first.'],
  cannot_demote_self: [400, 'You cannot remove your own admin rights.'],
  cannot_delete_self: [400, 'You cannot delete your own account here.'],
  note_not_found: [404, 'This note no longer exists.'],
  last_admin: [400, 'The studio needs at least one admin.'],
})
