export const HOURS = ['early', 'morning', 'noon', 'evening'] as const
export type HourOfRoom = (typeof HOURS)[number]

/** In local time. Before the first, it is still evening. */
const STARTS: readonly (readonly [time: string, hour: HourOfRoom])[] = [
  ['05:00', 'early'],
  ['08:30', 'morning'],
  ['11:30', 'noon'],
  ['16:30', 'evening'],
]

/**
 * The light in the picture of the room.
 *
 * @param now in milliseconds since 1970
 */
export function hourOfRoom(now: number, timeZone: string): HourOfRoom {
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainTime().toString()
  return STARTS.findLast(([start]) => start <= time)?.[1] ?? 'evening'
}
