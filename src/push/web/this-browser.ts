import { SERVICE_WORKER } from '#site-map.ts'
import type { NotificationChoice } from '../contract.ts'
import { pushApi } from './api.ts'

/** Whether this browser can show notifications; iPhones only from the home screen. */
export function abilityHere(): 'yes' | 'home_screen' | 'blocked' | 'no' {
  const isApple = 'standalone' in navigator && !navigator.standalone
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isApple ? 'home_screen' : 'no'
  return Notification.permission === 'denied' ? 'blocked' : 'yes'
}

/** Whose notifications this browser shows. Signing out clears it, so that nobody gets another member's. */
const OWNER = 'notifications-of'

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Whether notifications of this member arrive in this browser: it and the site know of the same subscription. */
export async function isOnHere({ endpoint }: NotificationChoice): Promise<boolean> {
  if (abilityHere() !== 'yes' || endpoint === null) return false
  return (await subscriptionHere())?.endpoint === endpoint
}

/** Asks for permission, and subscribes. Returns false if the member refuses. */
export async function switchOn(userId: string, publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await subscribe(publicKey)
  localStorage.setItem(OWNER, userId)
  return true
}

export async function switchOff(): Promise<void> {
  localStorage.removeItem(OWNER)
  await pushApi.unsubscribe.call()
  await (await subscriptionHere())?.unsubscribe()
}

async function subscribe(publicKey: string): Promise<void> {
  await navigator.serviceWorker.register(SERVICE_WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await pushApi.subscribe.call({ body: { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } } })
}

/** The site's key that a subscription was made with: base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Compares the browser's subscription with the site's on each visit of a member who has switched notifications on here,
 * and makes a new one if they differ: subscriptions vanish without an event.
 */
export async function renew(userId: string): Promise<void> {
  if (localStorage.getItem(OWNER) !== userId || abilityHere() !== 'yes' || Notification.permission !== 'granted') return
  const choice = await pushApi.readNotifications.call()
  const here = await subscriptionHere()
  if (here && here.endpoint === choice.endpoint && keyOf(here) === choice.publicKey) return
  await subscribe(choice.publicKey)
}
