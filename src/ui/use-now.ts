import { createContext, use, useEffect, useState } from 'react'

/** The present instant, renewed every 15 seconds and when the page is looked at again. Needs Temporal. */
export function useNow(): Temporal.Instant {
  const renderedAt = use(RenderedAt)
  // The browser's clock may be hours off: first the page is what the server drew.
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

/** Read through `Date`, the one clock that a browser test can hold still. */
export function present(): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Date.now())
}

/** When the page was drawn by the server, in milliseconds since 1970, until the browser has taken it over. */
export const RenderedAt = createContext<number | undefined>(undefined)
