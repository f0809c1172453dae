import { queryOptions } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { readOwnStudio } from '../contract.ts'

/** What the owner says of the studio, as the owner edits it. */
export const ownStudio = queryOptions({
  queryKey: ['admin', 'studio'],
  queryFn: () => call<typeof readOwnStudio>({ method: 'GET', path: '/api/admin/studio' }),
  staleTime: 0,
})
