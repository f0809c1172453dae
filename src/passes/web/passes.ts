import { useQuery } from '@tanstack/react-query'
import { useMemberQuery } from '#accounts/web/session.ts'
import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type { Pass } from '../contract.ts'

export const passesApi = apiClient<typeof contract>('passes', {
  deletePass: 'DELETE /api/admin/user-passes/:id',
  extendPass: 'PUT /api/admin/user-passes/:id',
  giftCredits: 'POST /api/admin/users/:userId/gift-credits',
  listCredits: 'GET /api/user/credits',
  listPasses: 'GET /api/user/passes',
  resumePass: 'DELETE /api/admin/user-passes/:id/pause',
})

/** All of the member's passes, the first to expire first. */
export function usePasses({ enabled = true } = {}) {
  return useMemberQuery({ ...passesApi.listPasses.queryOptions(), enabled })
}

/** The latest lines of the member's ledger; invalidated with the passes. */
export function useCredits(query: { limit: number }) {
  return useQuery({
    ...passesApi.listCredits.queryOptions({ query }),
    placeholderData: (before) => before,
  })
}

/** Unexpired passes with credits. `now` in milliseconds. */
export function activePasses(passes: readonly Pass[], now = Date.now()): Pass[] {
  return passes.filter((pass) => pass.creditsRemaining > 0 && Date.parse(pass.expiresAt) > now)
}

/** Credits remaining over active passes, except passes on hold. */
export function creditsOf(passes: readonly Pass[], now = Date.now()): number {
  return activePasses(passes, now)
    .filter(({ frozenAt }) => !frozenAt)
    .reduce((sum, pass) => sum + pass.creditsRemaining, 0)
}

/** A pass's name, from either of its two fields. */
export function nameOf(pass: Pass): string {
  return (pass.package ?? pass.classPass).name
}
