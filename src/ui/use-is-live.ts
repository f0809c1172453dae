import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False in finished HTML and during its hydration, true from then on: for what only the browser knows (the query of
 * the address, say) on pages that are the same for everybody.
 */
export function useIsLive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
