import { useQuery } from '@tanstack/react-query'
import { skipRefetchOfSsrData } from '#foundation/api-client.ts'
import { formatDay } from '#foundation/dates.ts'
import type { Closure } from '../contract.ts'
import { timetableApi } from './api.ts'

/** The classes of the days `from` to `to`, both included; admins are answered the inactive ones too. */
export const classesOfDays = (from: string, to: string) =>
  timetableApi.listClasses.queryOptions({ query: { from, to } })

/** Those of them that take place, by start. */
export function useClasses(from: string, to: string, { enabled = true } = {}) {
  return useQuery({
    ...classesOfDays(from, to),
    enabled,
    select: (classes) =>
      classes
        .filter((c) => c.isActive)
        .sort((a, b) => `${a.date}${a.startTime}`.localeCompare(`${b.date}${b.startTime}`)),
  })
}

/** The same, empty until they are known. */
export function useClosures(): readonly Closure[] {
  return useQuery({ ...timetableApi.listClosures.queryOptions(), ...skipRefetchOfSsrData }).data ?? NONE
}
const NONE: readonly Closure[] = []

/** `Thursday 24 December`, or `Thursday 24 December to Sunday 27 December`. */
export const daysOf = ({ from, to }: Closure) =>
  from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`
