/** As specified. */
export const PASSWORD_MINIMUM = 6

/** How long a proof of identity is enough for sensitive actions. Source: docs/studio-rules.md#a-second-step */
export const STEP_UP_AFTER_MINUTES = 30
/** The same for changes to passkeys and other factors. Our choice. */
export const FACTOR_STEP_UP_AFTER_MINUTES = 5

export type LinkPurpose = 'verify_email' | 'set_password' | 'invitation'

/** Members without a password may be invited to set one; admins get a link from `npm run admin`. */
export const mayBeInvited = (user: { isAdmin: boolean; canLogIn: boolean }) => !user.isAdmin && !user.canLogIn

/** The `tel:` URL of a phone number, without spaces and the (0) that is only dialled within the country. */
export function phoneHref(phone: string): string {
  const written = phone.trim()
  const isAbroad = written.startsWith('+')
  const dialled = (isAbroad ? written.replace(/\(0\)/, '') : written).replace(/\D/g, '')
  return `tel:${isAbroad ? '+' : ''}${dialled}`
}
