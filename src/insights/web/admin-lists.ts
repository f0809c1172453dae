import { useQuery } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { listAllPackages } from '../../packages/contract.ts'
import type { listClasses } from '../../timetable/contract.ts'
import type { listUsers } from '../contract.ts'

/** What the admin area reads. Each list belongs to the key of what it shows, so that a mutation reaches it too. */
export const useAllUsers = () =>
  useQuery({
    queryKey: ['admin', 'users'],
    queryFn: () => call<typeof listUsers>({ method: 'GET', path: '/api/admin/users' }),
  })
export const useAllPackages = () =>
  useQuery({
    queryKey: ['packages', 'admin'],
    queryFn: () => call<typeof listAllPackages>({ method: 'GET', path: '/api/admin/packages' }),
  })
export const useAllClasses = (from: string, to: string) =>
  useQuery({
    queryKey: ['classes', 'admin', 'list', from, to],
    queryFn: () => call<typeof listClasses>({ method: 'GET', path: '/api/classes' }, { query: { from, to } }),
  })
