import { useQuery } from '@tanstack/react-query'
import { studio } from '#studio.ts'
import type { BeginOffer } from '../contract-begin.ts'
import { paymentsApi } from './api.ts'

const { coolingOffDays } = studio.policies

/** The request to start before the period in which a purchase can be cancelled is over. */
export const REQUEST = `Please let me start using this pass during the ${coolingOffDays}-day cancellation period. If I then cancel, I will pay for the classes I have taken.`

/** The purchase that would pay for a class and can still be cancelled, unless the member has requested it already. */
export function useBeginOffer(classId: number | undefined): BeginOffer | undefined {
  const { data } = useQuery({
    ...paymentsApi.listBeginOffers.queryOptions({ query: { classId } }),
    enabled: classId !== undefined,
    gcTime: 0,
  })
  return data?.[0]
}
