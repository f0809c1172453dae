import { queryOptions } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { listAllPackages } from '../contract.ts'
import { packagesKey } from './packages.ts'

/** Every package, hidden ones too, as the studio sees them. */
export const allPackages = queryOptions({
  queryKey: [...packagesKey, 'admin'],
  queryFn: () => call<typeof listAllPackages>({ method: 'GET', path: '/api/admin/packages' }),
})
