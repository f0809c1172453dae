import { queryOptions, useQuery } from '@tanstack/react-query'
import type { PublicFacts } from '#facts/contract.ts'
import { skipRefetchOfSsrData } from '#foundation/api-client.ts'
import { pick } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { StudioClass } from '../contract.ts'
import { timetableApi } from './api.ts'

/** What public pages say about a class, and no more, as it is part of their HTML. */
const SHOWN = [
  'id',
  'title',
  'date',
  'startTime',
  'endTime',
  'price',
  'startsAt',
  'endsAt',
  'availableSpots',
  'maxParticipants',
] as const

/** A class that has a free place and has not started. */
export type FreePlace = Pick<StudioClass, (typeof SHOWN)[number]>

/** The free places of the coming seven days, by start. If none: whether they are full, and the next class's day. */
type WeekOfPlaces = { places: FreePlace[]; isFull: boolean; next: string | null }

/** The next free place, and the day of the next class with or without one. */
type NextPlace = { place: FreePlace | null; next: string | null }

const DAY_MS = 86_400_000
/** How far ahead the next free place is searched, in days. */
const LOOK_AHEAD = 14
const LISTED = 7

/** @param now in milliseconds since 1970 */
export const nextFreePlace = (now: number) =>
  queryOptions({
    queryKey: [...timetableApi.listClasses.key, 'next-free'],
    queryFn: async (): Promise<NextPlace> => {
      const [place = null] = await freePlaces(now, LOOK_AHEAD)
      return { place, next: place ? place.date : await nextClassDay(now) }
    },
  })

/** @param now in milliseconds since 1970 */
export const freePlacesThisWeek = (now: number) =>
  queryOptions({
    queryKey: [...timetableApi.listClasses.key, 'free'],
    queryFn: async (): Promise<WeekOfPlaces> => {
      const places = await freePlaces(now, LISTED)
      const next = places.length > 0 ? null : await nextClassDay(now)
      return { places, isFull: next !== null && next <= lastListed(now), next }
    },
  })

const lastListed = (now: number) => studioDay(now + (LISTED - 1) * DAY_MS)

/** The date of the next class, with or without a free place; null if there is none on the calendar. */
async function nextClassDay(now: number): Promise<string | null> {
  const classes = await timetableApi.listClasses.call({ query: { from: studioDay(now) } })
  return classes.find(({ isActive, startsAt }) => isActive && Date.parse(startsAt) > now)?.date ?? null
}

/** Undefined while it loads. */
export function useNextFreePlace(): NextPlace | undefined {
  return useQuery({ ...nextFreePlace(Date.now()), ...skipRefetchOfSsrData }).data
}

/** The day of the next class; null if there is none, undefined while it loads. */
export function useNextClassDay(): string | null | undefined {
  const now = Date.now()
  return useQuery({ queryKey: [...timetableApi.listClasses.key, 'next-day'], queryFn: () => nextClassDay(now) }).data
}

/** When the classes of an empty calendar start, if no timetable is in force yet. */
export const firstDayOf = ({ timetable, nextTimetable }: Pick<PublicFacts, 'timetable' | 'nextTimetable'>) =>
  timetable ? undefined : nextTimetable?.from

/** What to say while there is no class on the calendar. */
export function emptyCalendar(facts: Parameters<typeof firstDayOf>[0]): string {
  const from = firstDayOf(facts)
  return from ? `Classes start on ${formatDay(from)}. The calendar opens soon.` : 'The calendar opens soon.'
}

/** Undefined while they load. */
export function useFreePlacesThisWeek(): WeekOfPlaces | undefined {
  return useQuery({ ...freePlacesThisWeek(Date.now()), ...skipRefetchOfSsrData }).data
}

async function freePlaces(now: number, days: number): Promise<FreePlace[]> {
  const query = { from: studioDay(now), to: studioDay(now + (days - 1) * DAY_MS) }
  const classes = await timetableApi.listClasses.call({ query })
  return classes
    .filter(({ isActive, availableSpots, startsAt }) => isActive && availableSpots > 0 && Date.parse(startsAt) > now)
    .map((studioClass) => pick(studioClass, SHOWN))
}

/** The studio's date of an instant, without Temporal, which public pages do not load. */
function studioDay(instant: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: studio.timeZone }).format(instant)
}

export const bookingOf = ({ date, id }: FreePlace) => `/booking?date=${date}&class=${id}`
