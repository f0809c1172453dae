import { useEffect, useState } from 'react'

/** The present instant, renewed every 15 seconds and when the page is looked at again. Needs Temporal. */
export function useNow(): Temporal.Instant {
  const [now, setNow] = useState(present)
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

/** Read through `Date`, the one clock that a browser test can hold still. */
export function present(): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Date.now())
}
