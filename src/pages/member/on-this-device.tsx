import x from '@lucide/icons/icons/x'
import { hashKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import type { SIGNED_IN } from '#accounts/session-rules.ts'
import { correctHint, useSession } from '#accounts/web/session.ts'
import type { Booking } from '#booking/contract.ts'
import { bookingApi } from '#booking/web/api.ts'
import { nextClasses } from '#booking/web/next-classes.ts'
import { useFacts } from '#content/web/facts.tsx'
import { pushApi } from '#push/web/api.ts'
import { abilityHere, renew, switchOn } from '#push/web/this-browser.ts'
import { SERVICE_WORKER } from '#site-map.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { whenIdle } from '#ui/late.tsx'
import { createStore } from '#ui/store.ts'
import { toast, toastError } from '#ui/toast.ts'

/** Offline page, next classes and install prompt on a member's phone. */
export default function OnThisDevice() {
  const { isAuthenticated, user } = useSession()
  // The user came with the page, so the browser has not read it.
  useEffect(() => {
    if (isAuthenticated) correctHint(true)
  }, [isAuthenticated])
  useKeptNextClasses(isAuthenticated)
  useEffect(() => {
    if (isAuthenticated) whenIdle(() => void keepOfflinePage().catch(() => {}))
  }, [isAuthenticated])
  const userId = user?.id
  useEffect(() => {
    if (userId) whenIdle(() => void renew(userId).catch(() => {}))
  }, [userId])
  if (!isAuthenticated) return null
  return (
    <>
      <NotificationLine />
      <InstallLine />
    </>
  )
}

/** Not imported, because every page's script would export it. */
const KEPT: typeof SIGNED_IN = 'signed-in'
const ALL = hashKey(bookingApi.listBookings.key)
const UPCOMING = hashKey(bookingApi.listUpcomingBookings.key)
const WAITING = hashKey(bookingApi.listWaiting.key)

/** Stores the next classes whenever the bookings are fetched. */
function useKeptNextClasses(isAuthenticated: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isAuthenticated) return
    const cache = queries.getQueryCache()
    const read = [ALL, UPCOMING].flatMap((hash) => cache.get<Booking[]>(hash)?.state ?? [])
    const [newest] = read.filter(({ data }) => data).sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)
    if (newest?.data) keep(newest.data)
    let before = cache.get<Booking[]>(ALL)?.state.data
    let waiting = cache.get<unknown[]>(WAITING)?.state.data?.length
    return cache.subscribe((event) => {
      const { queryHash, state } = event.query
      if (event.type !== 'updated' || event.action.type !== 'success') return
      if (queryHash === WAITING) {
        const length = (state.data as unknown[]).length
        if (waiting !== undefined && length > waiting) askForNotifications()
        waiting = length
      }
      if (queryHash !== ALL && queryHash !== UPCOMING) return
      const bookings: Booking[] = state.data
      keep(bookings)
      if (queryHash === UPCOMING) return
      if (before && taken(bookings) > taken(before)) {
        if (taken(bookings) === 1) askForNotifications()
        offerAfterBooking(taken(bookings))
      }
      before = bookings
    })
  }, [queries, isAuthenticated])
}

function keep(bookings: Booking[]): void {
  const kept = nextClasses(bookings, Date.now())
  if (kept) localStorage.setItem(KEPT, JSON.stringify(kept))
  else localStorage.removeItem(KEPT)
}

const taken = (bookings: Booking[]) =>
  bookings.filter(({ status }) => status === 'confirmed' || status === 'completed').length

/** Registers the service worker, which stores the offline page. An existing worker checks for a new version. */
async function keepOfflinePage(): Promise<void> {
  // Vite serves the pages in development, without a worker.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.register(SERVICE_WORKER)
  active?.postMessage('refresh')
}

const [useOffer, changeOffer] = createStore<'prompt' | 'share' | null>(null)

/** Offered from this booking on. */
const ENOUGH_BOOKINGS = 2
const YEAR_SECONDS = 365 * 86_400

/** Called after the member's `count`-th booking on this device. Offers an icon at most once a year. */
function offerAfterBooking(count: number): void {
  const offer = offerHere()
  if (count < ENOUGH_BOOKINGS || !offer || wasOffered('install-offered')) return
  noteOffer('install-offered')
  changeOffer(() => offer)
}

/** A browser that can prompt; Safari on a phone, which needs an explanation; or neither, for example if installed. */
function offerHere(): 'prompt' | 'share' | null {
  if (matchMedia('(display-mode: standalone)').matches) return null
  if (window.installPrompt) return 'prompt'
  return 'standalone' in navigator && !navigator.standalone ? 'share' : null
}

type Offer = 'install-offered' | 'notifications-offered'
const cookie = (offer: Offer) => `${location.protocol === 'https:' ? '__Host-' : ''}${offer}=yes`
const wasOffered = (offer: Offer) => document.cookie.split('; ').includes(cookie(offer))

/** A cookie, because logging out clears the storage. */
function noteOffer(offer: Offer): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${cookie(offer)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
}

const dismiss = () => changeOffer(() => null)

function InstallLine() {
  const { name } = useFacts()
  const offer = useOffer()
  if (!offer) return null
  const install = () => {
    dismiss()
    void window.installPrompt?.prompt()
  }
  return (
    <Line label="On your phone" onClose={dismiss}>
      <p className="min-w-0 flex-1 basis-40 py-2">
        {offer === 'prompt'
          ? `Keep your next class one tap away, with ${name} on your home screen.`
          : 'Keep your next class one tap away: tap Share, then Add to Home Screen.'}
      </p>
      {offer === 'prompt' && (
        <Button variant="secondary" small onClick={install}>
          Add it
        </Button>
      )}
    </Line>
  )
}

const [useQuestion, changeQuestion] = createStore<'switch' | 'home_screen' | null>(null)

/** Asks, once a year, where notifications are of use: after joining a waiting list, and after the first booking. */
function askForNotifications(): void {
  const ability = abilityHere()
  const canAsk = ability === 'home_screen' || (ability === 'yes' && Notification.permission === 'default')
  if (!canAsk || wasOffered('notifications-offered')) return
  noteOffer('notifications-offered')
  changeQuestion(() => (ability === 'home_screen' ? ability : 'switch'))
}

function NotificationLine() {
  const question = useQuestion()
  const { user } = useSession()
  if (!question || !user) return null
  const close = () => changeQuestion(() => null)
  const start = async () => {
    try {
      const { publicKey } = await pushApi.readNotifications.call()
      if (await switchOn(user.id, publicKey)) toast({ title: 'Saved', description: 'We’ll notify you on this device.' })
    } catch (error) {
      toastError(error, 'Notifications could not be switched on. Please try again under Devices and password.')
    }
    close()
  }
  return (
    <Line label="What is urgent" onClose={close}>
      <p className="min-w-0 flex-1 basis-40 py-2">
        Shall we notify you here if a place is offered or your class moves?
      </p>
      {question === 'switch' ? (
        <Button variant="secondary" small onClick={() => void start()}>
          Notify me
        </Button>
      ) : (
        <Link to="/dashboard?view=sign-in#notifications" className={buttonClass({ variant: 'secondary', small: true })}>
          Show me how
        </Link>
      )}
    </Line>
  )
}

function Line({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  return (
    <section aria-label={label} className="wrap pt-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card bg-sage-tint px-5 py-2 sm:px-7">
        {children}
        <button
          type="button"
          aria-label="Not now"
          onClick={onClose}
          className="-mr-3 grid size-11 flex-none place-items-center rounded-full"
        >
          <Icon of={x} size={20} />
        </button>
      </div>
    </section>
  )
}
