import { useQuery } from '@tanstack/react-query'
import { skipRefetchOfSsrData } from '#foundation/api-client.ts'
import { formatDay } from '#foundation/dates.ts'
import type { Closure } from '../contract.ts'
import { timetableApi } from './api.ts'

/** The classes from `from` to `to`, both included. Admins also get inactive ones. */
export const classesOfDays = (from: string, to: string) =>
  timetableApi.listClasses.queryOptions({ query: { from, to } })

/** The active ones, by start. */
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

/** Empty while they load. */
export function useClosures(): readonly Closure[] {
  return useQuery({ ...timetableApi.listClosures.queryOptions(), ...skipRefetchOfSsrData }).data ?? NONE
}
const NONE: readonly Closure[] = []

/** ` 09:00 to 12:00` of a closure of some hours, otherwise empty. */
export const hoursOf = ({ fromTime, toTime }: Closure) => (fromTime && toTime ? ` ${fromTime} to ${toTime}` : '')

/** `Thursday 24 December`, `Thursday 24 December, 09:00 to 12:00`, or `Thursday 24 December to Sunday 27 December`. */
export function daysOf(closure: Closure): string {
  const { from, to, fromTime } = closure
  if (from !== to) return `${formatDay(from)} to ${formatDay(to)}`
  return `${formatDay(from)}${fromTime ? ',' : ''}${hoursOf(closure)}`
}
