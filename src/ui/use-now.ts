import { createContext, use, useEffect, useState } from 'react'

/** The current instant, updated every 15 seconds and when the tab becomes visible. Needs Temporal. */
export function useNow(): Temporal.Instant {
  const renderedAt = use(RenderedAt)
  // The browser's clock may be wrong, so hydration uses the server's time.
  const [now, setNow] = useState(() =>
    renderedAt === undefined ? present() : Temporal.Instant.fromEpochMilliseconds(renderedAt),
  )
  useEffect(() => {
    const renew = () => setNow(present())
    const timer = setInterval(renew, 15_000)
    document.addEventListener('visibilitychange', renew)
    if (renderedAt !== undefined) renew()
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [renderedAt])
  return now
}

/** Uses `Date`, because browser tests can freeze it. */
export function present(): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Date.now())
}

/** When the server rendered the page, in milliseconds since 1970; undefined after hydration. */
export const RenderedAt = createContext<number | undefined>(undefined)
