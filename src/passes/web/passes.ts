import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSession } from '../../accounts/web/session.ts'
import { call } from '../../foundation/call.ts'
import type { listCredits, listPasses, Pass } from '../contract.ts'

export const passesKey = ['passes'] as const

export const allPasses = queryOptions({
  queryKey: passesKey,
  queryFn: () => call<typeof listPasses>({ method: 'GET', path: '/api/user/passes' }),
})

/** Every pass the member ever held, the one that expires first leading. */
export function usePasses({ enabled = true } = {}) {
  const { isLikely } = useSession()
  return useQuery({ ...allPasses, enabled: enabled && isLikely })
}

/** The latest lines of the member's ledger; as stale as the passes they explain. */
export function useCredits(query: { limit: number }) {
  return useQuery({
    queryKey: [...passesKey, 'credits', query],
    queryFn: () => call<typeof listCredits>({ method: 'GET', path: '/api/user/credits' }, { query }),
    placeholderData: (before) => before,
  })
}

/** Unexpired passes that hold credits. `now` in milliseconds. */
export function activePasses(passes: readonly Pass[], now = Date.now()): Pass[] {
  return passes.filter((pass) => pass.creditsRemaining > 0 && Date.parse(pass.expiresAt) > now)
}

/** Credits remaining: the sum over active passes (specification, section 9); one on hold cannot pay now. */
export function creditsOf(passes: readonly Pass[], now = Date.now()): number {
  return activePasses(passes, now)
    .filter(({ frozenAt }) => !frozenAt)
    .reduce((sum, pass) => sum + pass.creditsRemaining, 0)
}

/** A pass's name, whichever of its two names the answer carries. */
export function nameOf(pass: Pass): string {
  return (pass.package ?? pass.classPass).name
}
