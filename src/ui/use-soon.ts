import { useEffect } from 'react'

/**
 * Fetches the code of what a click will open, as soon as the page stands: the click then answers at once, also where
 * the connection has gone meanwhile. `load` stands outside the component.
 */
export function useSoon(load: () => Promise<unknown>): void {
  useEffect(() => {
    // Not reached now: the click tries again.
    load().catch(() => {})
  }, [load])
}
