import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SIGNED_IN } from '#accounts/session-hint.ts'
import { useSession } from '#accounts/web/session.ts'
import type { Booking } from '#booking/contract.ts'
import { bookingApi } from '#booking/web/api.ts'
import { nextClasses } from '#booking/web/next-classes.ts'
import { SERVICE_WORKER } from '../shell/offline/addresses.ts'
import { InstallLine, offerAfterBooking } from './install-line.tsx'

/** What makes the site an app of a member's phone: the next class and the way there without a connection, and an icon. */
export default function OnThisDevice() {
  const { isAuthenticated } = useSession()
  useKeptNextClasses(isAuthenticated)
  useEffect(() => {
    if (isAuthenticated) whenIdle(() => void keepOfflinePage().catch(() => {}))
  }, [isAuthenticated])
  return isAuthenticated ? <InstallLine /> : null
}

/** Not imported: the scripts of every page would hand it out. */
const KEPT: typeof SIGNED_IN = 'signed-in'
const ALL = hashKey(bookingApi.listBookings.key)
const UPCOMING = hashKey(bookingApi.listUpcomingBookings.key)

/** Whatever the pages read of the member's bookings is what this device knows of them from then on. */
function useKeptNextClasses(isAuthenticated: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isAuthenticated) return
    const cache = queries.getQueryCache()
    const read = [ALL, UPCOMING].flatMap((hash) => cache.get<Booking[]>(hash)?.state ?? [])
    const [newest] = read.filter(({ data }) => data).sort((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)
    if (newest?.data) keep(newest.data)
    let before = cache.get<Booking[]>(ALL)?.state.data
    return cache.subscribe((event) => {
      const { queryHash, state } = event.query
      if (event.type !== 'updated' || event.action.type !== 'success') return
      if (queryHash !== ALL && queryHash !== UPCOMING) return
      const bookings: Booking[] = state.data
      keep(bookings)
      if (queryHash === UPCOMING) return
      if (before && taken(bookings) > taken(before)) offerAfterBooking(taken(bookings))
      before = bookings
    })
  }, [queries, isAuthenticated])
}

function keep(bookings: Booking[]): void {
  const kept = nextClasses(bookings, Date.now())
  if (kept) localStorage.setItem(KEPT, JSON.stringify(kept))
  else localStorage.removeItem(KEPT)
}

/** How many classes were or will be taken. */
const taken = (bookings: Booking[]) =>
  bookings.filter(({ status }) => status === 'confirmed' || status === 'completed').length

/** The worker keeps the offline page; whoever has the worker already is told to look whether the page says something new. */
async function keepOfflinePage(): Promise<void> {
  // In development Vite serves the pages, and there is no worker.
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.register(SERVICE_WORKER)
  active?.postMessage('refresh')
}

/** After everything else; Safari knows no idle time. */
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work)
  else setTimeout(work, 1000)
}
