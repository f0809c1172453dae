import { EXTENSION } from '#foundation/clean-text.ts'

/** As specified. */
export const PASSWORD_MINIMUM = 6

/** A password as it is hashed: the same text from every keyboard, as devices write letters with accents in two ways. */
export const asHashed = (password: string) => password.normalize('NFKC')

/** Counts a password as it is hashed. */
export const isLongEnough = (password: string) => asHashed(password).length >= PASSWORD_MINIMUM

/** What a user may do. A teacher sees the day's people; an admin runs the studio. */
export const ROLES = ['member', 'teacher', 'admin'] as const
export type Role = (typeof ROLES)[number]
type Rights = { isAdmin: boolean; isTeacher: boolean }

export function roleOf({ isAdmin, isTeacher }: Rights): Role {
  if (isAdmin) return 'admin'
  return isTeacher ? 'teacher' : 'member'
}

export const rightsOf = (role: Role): Rights => ({ isAdmin: role === 'admin', isTeacher: role === 'teacher' })

/** Teachers and admins see other people's data, so they need a second step and have shorter sessions. */
export const isStaff = ({ isAdmin, isTeacher }: Rights) => isAdmin || isTeacher

/** How long a proof of identity is enough for sensitive actions. Source: docs/studio-rules.md#a-second-step */
export const STEP_UP_AFTER_MINUTES = 30
/** The same for changes to passkeys and other factors. Our choice. */
export const FACTOR_STEP_UP_AFTER_MINUTES = 5

export type LinkPurpose = 'verify_email' | 'set_password' | 'invitation'

/** Members without a password may be invited to set one; admins get a link from `npm run admin`. */
export const mayBeInvited = (user: { isAdmin: boolean; canLogIn: boolean }) => !user.isAdmin && !user.canLogIn

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim()

/** The `tel:` URL of a phone number, without spaces, the (0) dialled only within the country, and an extension. */
export function phoneHref(phone: string): string {
  const written = phone.replace(EXTENSION, '').trim()
  const isAbroad = written.startsWith('+')
  const dialled = (isAbroad ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  return `tel:${isAbroad ? '+' : ''}${dialled}`
}
