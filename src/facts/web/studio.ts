import { queryOptions } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { readStudio } from '../contract.ts'

/** What everybody is told of the studio. */
export const publicStudio = queryOptions({
  queryKey: ['studio'],
  queryFn: () => call<typeof readStudio>({ method: 'GET', path: '/api/studio' }),
})
