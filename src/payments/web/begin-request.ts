import { useQuery } from '@tanstack/react-query'
import { studio } from '#studio.ts'
import type { BeginOffer } from '../contract-begin.ts'
import { paymentsApi } from './api.ts'

const { coolingOffDays } = studio.policies

/** What a member asks for who wants to come before the time to cancel a purchase is over. */
export const REQUEST = `I ask you to begin within the ${coolingOffDays} days in which I can cancel my purchase. If I cancel then, I pay for the classes I have taken by that time.`

/** Why a tick is taken back. */
export const NOT_NOTED = 'This could not be noted. Please try again, or leave it out.'

/** The purchase whose pass would pay for a class and can still be cancelled, if the member has not asked to begin yet. */
export function useBeginOffer(classId: number | undefined): BeginOffer | undefined {
  const { data } = useQuery({
    ...paymentsApi.listBeginOffers.queryOptions({ query: { classId } }),
    enabled: classId !== undefined,
    gcTime: 0,
  })
  return data?.[0]
}
