import { createStore } from '#ui/store.ts'
import { toast } from '#ui/toast.ts'

export const LOGGED_OUT = {
  title: 'Unauthorized',
  description: 'You are logged out. Logging in again...',
  tone: 'error',
} as const

const [useHasEnded, change] = createStore(false)

/** On the way to /auth: the page stays as it is until that stands in its place. */
export { useHasEnded }

/**
 * Somebody who was signed in is so no more. Whoever finds it out says so here; it is told once. Who stands on /auth
 * already needs no telling: a late answer to the page before says nothing new there.
 */
export function endSession(): void {
  if (location.pathname === '/auth') return
  change((hasEnded) => {
    if (!hasEnded) toast(LOGGED_OUT)
    return true
  })
}

/** The end was answered, or somebody has signed in since: the next end is told again. */
export function forgetEnd(): void {
  change(() => false)
}
