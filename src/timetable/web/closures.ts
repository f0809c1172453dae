import { useQuery } from '@tanstack/react-query'
import { skipRefetchOfSsrData } from '#foundation/api-client.ts'
import { formatDay } from '#foundation/dates.ts'
import type { Closure } from '../contract.ts'
import { timetableApi } from './api.ts'

/** The same, empty until they are known. */
export function useClosures(): readonly Closure[] {
  return useQuery({ ...timetableApi.listClosures.queryOptions(), ...skipRefetchOfSsrData }).data ?? NONE
}
const NONE: readonly Closure[] = []

/** `Thursday 24 December`, or `Thursday 24 December to Sunday 27 December`. */
export const daysOf = ({ from, to }: Closure) =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
