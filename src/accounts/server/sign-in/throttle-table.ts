import type { Pool } from 'pg'
import { networkOf } from '#platform/http/network.ts'

/** Where the limiters count: all processes share it. */
export const throttleTable = (pool: Pool) => ({
  storeClient: pool,
  storeType: 'pool',
  tableName: 'throttles',
  tableCreated: true,
  clearExpiredByTimeout: false,
})

/** Who is limited by address: an IPv4 address, or the /64 that a connection to IPv6 is usually given as a whole. */
export function sourceOf(address: string): string {
  return networkOf(address, { v4: 32, v6: 64 })?.replace(/\/32$/, '') ?? address
}
