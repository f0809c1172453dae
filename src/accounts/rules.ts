/** As specified. */
export const PASSWORD_MINIMUM = 6

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

/** The `tel:` URL of a phone number, without spaces and the (0) that is only dialled within the country. */
export function phoneHref(phone: string): string {
  const written = phone.trim()
  const isAbroad = written.startsWith('+')
  const dialled = (isAbroad ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  return `tel:${isAbroad ? '+' : ''}${dialled}`
}
