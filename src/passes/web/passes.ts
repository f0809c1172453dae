import { useQuery } from '@tanstack/react-query'
import { useSession } from '#accounts/web/session.ts'
import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type { Pass } from '../contract.ts'

export const passesApi = apiClient<typeof contract>('passes', {
  deletePass: 'DELETE /api/admin/user-passes/:id',
  giftCredits: 'POST /api/admin/users/:userId/gift-credits',
  listCredits: 'GET /api/user/credits',
  listPasses: 'GET /api/user/passes',
})

/** Everything that shows a member's credits: what mutations of passes make stale. */
export const passQueries = [passesApi.listPasses, passesApi.listCredits]

/** Every pass the member ever held, the one that expires first leading. */
export function usePasses({ enabled = true } = {}) {
  const { isLikely } = useSession()
  return useQuery({ ...passesApi.listPasses.queryOptions(), enabled: enabled && isLikely })
}

/** The latest lines of the member's ledger; as stale as the passes they explain. */
export function useCredits(query: { limit: number }) {
  return useQuery({
    ...passesApi.listCredits.queryOptions({ query }),
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
