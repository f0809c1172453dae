import { queryOptions, useQuery } from '@tanstack/react-query'
import { skipRefetchOfSsrData } from '#foundation/api-client.ts'
import { studio } from '#studio.ts'
import type { StudioClass } from '../contract.ts'
import { timetableApi } from './api.ts'

/** A class that has a place and has not begun. */
export type FreePlace = Pick<
  StudioClass,
  | 'id'
  | 'title'
  | 'date'
  | 'startTime'
  | 'endTime'
  | 'startsAt'
  | 'endsAt'
  | 'availableSpots'
  | 'maxParticipants'
  | 'price'
>

const DAY_MS = 86_400_000
/** How far the next free place is looked for, in days, and how far ahead the list goes. Ours. */
const LOOK_AHEAD = 14
const LISTED = 7

/** @param now in milliseconds since 1970 */
export const nextFreePlace = (now: number) =>
  queryOptions({
    queryKey: [...timetableApi.listClasses.key, 'next-free'],
    queryFn: async () => (await freePlaces(now, LOOK_AHEAD))[0] ?? null,
  })

/** @param now in milliseconds since 1970 */
export const freePlacesThisWeek = (now: number) =>
  queryOptions({ queryKey: [...timetableApi.listClasses.key, 'free'], queryFn: () => freePlaces(now, LISTED) })

/** The next class with a free place; undefined where none is known. */
export function useNextFreePlace(): FreePlace | undefined {
  return useQuery({ ...nextFreePlace(Date.now()), ...skipRefetchOfSsrData }).data ?? undefined
}

/** Classes of the coming seven days with a free place, by start; undefined until they are known. */
export function useFreePlacesThisWeek(): FreePlace[] | undefined {
  return useQuery({ ...freePlacesThisWeek(Date.now()), ...skipRefetchOfSsrData }).data
}

async function freePlaces(now: number, days: number): Promise<FreePlace[]> {
  const query = { from: studioDay(now), to: studioDay(now + (days - 1) * DAY_MS) }
  const classes = await timetableApi.listClasses.call({ query })
  return classes
    .filter(({ isActive, availableSpots, startsAt }) => isActive && availableSpots > 0 && Date.parse(startsAt) > now)
    .map((c) => ({
      ...{ id: c.id, title: c.title, date: c.date, startTime: c.startTime, endTime: c.endTime, price: c.price },
      ...{ startsAt: c.startsAt, endsAt: c.endsAt },
      ...{ availableSpots: c.availableSpots, maxParticipants: c.maxParticipants },
    }))
}

/** The date in the studio at an instant, without Temporal, which public pages do not load. */
function studioDay(instant: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: studio.timeZone }).format(instant)
}

/** Where a class is booked. */
export const bookingOf = ({ date, id }: FreePlace) => `/booking?date=${date}&class=${id}`
