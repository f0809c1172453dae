import { createContext, use, useEffect, useState } from 'react'

/** The current instant, updated every 15 seconds and when the tab becomes visible. Needs Temporal. */
export function useNow(): Temporal.Instant {
  // The browser's clock may be wrong, so hydration uses the server's time.
  const renderedAt = use(RenderedAt)
  const [now, setNow] = useState(() =>
    renderedAt.current === undefined ? present() : Temporal.Instant.fromEpochMilliseconds(renderedAt.current),
  )
  useEffect(() => {
    const renew = () => setNow(present())
    const timer = setInterval(renew, 15_000)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [])
  return now
}

/** Uses `Date`, because browser tests can freeze it. */
export function present(): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Date.now())
}

/** When the server rendered the page, in milliseconds; undefined after hydration. A ref: it renders nothing again. */
export const RenderedAt = createContext<{ current: number | undefined }>({ current: undefined })
