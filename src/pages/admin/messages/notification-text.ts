import { many } from '#foundation/collections.ts'

/** How we notify a member of a change. Needs attention also lists the call to a member without an email address. */
export const notificationText = (user: { firstName: string; email?: string | null | undefined }) =>
  user.email === null
    ? `${user.firstName} has no email address, so please tell them.`
    : `We’ll email ${user.firstName}.`

/** `We’ll email 3 people. 1 person to call, as we have no email address.`, each counted once; empty for no one. */
export function notificationsText(people: readonly { id: string; isByPhone: boolean }[]): string {
  const count = (isByPhone: boolean) =>
    new Set(people.filter((one) => one.isByPhone === isByPhone).map(({ id }) => id)).size
  const [emailed, called] = [count(false), count(true)]
  return [
    emailed > 0 && `We’ll email ${many(emailed, 'person', 'people')}.`,
    called > 0 && `${many(called, 'person', 'people')} to call, as we have no email address.`,
  ]
    .filter(Boolean)
    .join(' ')
}
