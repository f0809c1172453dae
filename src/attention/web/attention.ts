import { queryOptions } from '@tanstack/react-query'
import { call } from '../../foundation/call.ts'
import type { listAttention } from '../contract.ts'

export const attentionKey = ['admin', 'attention'] as const

/** What needs the owner now; read again whenever the page is looked at. */
export const attentionNow = queryOptions({
  queryKey: attentionKey,
  queryFn: () => call<typeof listAttention>({ method: 'GET', path: '/api/admin/attention' }),
})
