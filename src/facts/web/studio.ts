import { queryOptions } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { readOwnStudio, readStudio } from '../contract.ts'

/** What everybody is told of the studio. */
export const publicStudio = queryOptions({
  queryKey: ['studio'],
  queryFn: () => call<typeof readStudio>({ method: 'GET', path: '/api/studio' }),
})

/** What the owner says of it, as the owner edits it. */
export const ownStudio = queryOptions({
  queryKey: ['admin', 'studio'],
  queryFn: () => call<typeof readOwnStudio>({ method: 'GET', path: '/api/admin/studio' }),
  staleTime: 0,
})
