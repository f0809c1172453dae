import type { QueryClient } from '@tanstack/react-query'
import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type { OwnStudio } from '../contract.ts'

export const factsApi = apiClient<typeof contract>('facts', {
  editStudio: 'PUT /api/admin/studio',
  readOwnStudio: 'GET /api/admin/studio',
  readStudio: 'GET /api/studio',
  readStudioBefore: 'GET /api/admin/studio/versions/:id/before',
})

/** Shows facts that were just saved, in the settings and all over the site. */
export function showFacts(queries: QueryClient, saved: OwnStudio): void {
  queries.setQueryData(factsApi.readOwnStudio.key, saved)
  void queries.invalidateQueries({ queryKey: factsApi.readStudio.key })
}
