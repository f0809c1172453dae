/** The hours at which the room has been drawn, by its light. */
export const HOURS = ['early', 'morning', 'noon', 'evening'] as const
export type HourOfRoom = (typeof HOURS)[number]

/** When each begins, by the clock on the studio's wall. Before the first it is still the evening before. */
const BEGINS: readonly (readonly [time: string, hour: HourOfRoom])[] = [
  ['05:00', 'early'],
  ['08:30', 'morning'],
  ['11:30', 'noon'],
  ['16:30', 'evening'],
]

/**
 * In which light the room stands at an instant.
 *
 * @param now in milliseconds since 1970
 */
export function hourOfRoom(now: number, timeZone: string): HourOfRoom {
  const time = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainTime().toString()
  return BEGINS.findLast(([begins]) => begins <= time)?.[1] ?? 'evening'
}
