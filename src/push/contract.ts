import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { InstantText } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { ALERT_KINDS } from '#messages/rules.ts'

export const pushRefusals = refusals({
  not_a_push_service: [400, 'This address does not belong to a push service.'],
})

const Kinds = z.array(z.enum(ALERT_KINDS, 'Choose a kind of notification')).max(ALERT_KINDS.length)

export const NotificationChoice = z
  .object({
    /** The key with which browsers subscribe: base64url. */
    publicKey: z.string(),
    /** Kinds that the member has switched off. */
    off: Kinds,
    /** The address of this session's subscription at its push service; null without one. */
    endpoint: z.string().nullable(),
  })
  .meta({ id: 'NotificationChoice' })
export type NotificationChoice = z.output<typeof NotificationChoice>

export const readNotifications = endpoint('GET /api/user/notifications', {
  who: 'member',
  summary:
    'Notifications on the phone: the site’s public key, what the member has switched off, and whether this browser has them',
  response: NotificationChoice,
})

const WRONG_KEY = 'This is not a key of a subscription'
/** Bytes in base64url. */
const bytes = (length: number) =>
  z
    .string('Enter the key of the subscription')
    .regex(/^[\w-]+={0,2}$/, WRONG_KEY)
    .refine((text) => Math.floor((text.replace(/=+$/, '').length * 3) / 4) === length, WRONG_KEY)

/** What a browser calls a push subscription. */
export const Subscription = z.object({
  endpoint: z
    .url({ protocol: /^https?$/, error: 'Enter the address of the push service' })
    .max(2000, 'This address is too long'),
  keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
})
export type Subscription = z.output<typeof Subscription>

export const subscribe = endpoint('PUT /api/user/notifications/subscription', {
  isPrivate: true,
  who: 'member',
  summary:
    'Send notifications to this browser until its session ends; repeated on every visit, as subscriptions vanish',
  body: Subscription,
  response: NotificationChoice,
  refusals: [pushRefusals.not_a_push_service],
})

export const unsubscribe = endpoint('DELETE /api/user/notifications/subscription', {
  who: 'member',
  summary: 'Send no more notifications to this browser',
  says: 'Notifications are off on this device.',
})

export const chooseNotifications = endpoint('PUT /api/user/notifications', {
  isPrivate: true,
  who: 'member',
  summary: 'Switch kinds of notifications off, on all the member’s devices',
  body: z.object({ off: Kinds }),
  response: NotificationChoice,
})

/** For the member's download of their data. */
export const KeptSubscription = z.object({
  /** The push service's host. */
  service: z.string(),
  since: InstantText,
})
