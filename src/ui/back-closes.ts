import { useEffect, useId, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** An entry that is about to be taken back; React's double effects in development must not take back a living one. */
const leaving = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * The browser's Back closes what is open instead of leaving the page: while mounted, the history holds an entry of
 * its own. Closed any other way, the entry goes; gone to another page, it stays behind and means nothing.
 */
export function useBackCloses(onClose: () => void): void {
  const id = useId()
  const location = useLocation()
  const navigate = useNavigate()
  const latest = useRef({ location, navigate, onClose })
  latest.current = { location, navigate, onClose }
  const isTop = location.state?.open === id
  const wasTop = useRef(false)

  useEffect(() => {
    clearTimeout(leaving.get(id))
    if (openInHistory() === id) return
    const { location: at, navigate: go } = latest.current
    // An entry left over by a reload is taken up instead of adding another.
    void go(at, { state: { ...at.state, open: id }, replace: Boolean(at.state?.open), preventScrollReset: true })
  }, [id])
  useEffect(
    () => () => {
      const timer = setTimeout(() => {
        leaving.delete(id)
        if (openInHistory() === id) void latest.current.navigate(-1)
      })
      leaving.set(id, timer)
    },
    [id],
  )
  useEffect(() => {
    if (wasTop.current && !isTop) latest.current.onClose()
    wasTop.current = isTop
  }, [isTop])
}

/** What the history's present entry was made for, if for something open. */
function openInHistory(): string | undefined {
  return history.state?.usr?.open
}
