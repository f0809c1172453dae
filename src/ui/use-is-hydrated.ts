import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False on the server and during hydration, then true: for what only the browser knows, such as the query string of a
 * prerendered page.
 */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
