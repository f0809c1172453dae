import { useEffect } from 'react'
import { useSession } from '#accounts/web/session.ts'

declare global {
  interface Window {
    /** Left by `wake-scripts.ts` in pages that the server has drawn. */
    early?: { click?: HTMLElement; stop: () => void }
  }
}

/**
 * Carries out the last click on a button, or on what is marked `data-early`, that came before the scripts did: as soon
 * as the page knows whether anybody is signed in, which is what such a click may depend on.
 */
export function useEarlyClick(): void {
  const { isLoading } = useSession()
  useEffect(() => {
    if (isLoading) return
    const { early } = window
    delete window.early
    early?.stop()
    early?.click?.click()
  }, [isLoading])
}
