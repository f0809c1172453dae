import { formatDay } from '#foundation/dates.ts'

export type Starter = { name: string; kind: 'service' | 'marketing'; subject: string; text: string }
type FreePlace = { title: string; date: string; startTime: string; availableSpots: number }

/** What a message begins with when nothing is chosen. */
export const GREETING = 'Hello {firstName},\n\n'

export const RUNNING_LATE: Starter = {
  name: 'Running late',
  kind: 'service',
  subject: 'I am running a few minutes late',
  text: `${GREETING}I am running about ten minutes late for {classTitle}, {classTime}. Please go in and make yourself comfortable: we begin as soon as I am there.\n\nI am sorry to keep you waiting.`,
}

/**
 * An invitation to what is free on a day.
 *
 * @param site where the website is, without a trailing slash
 */
export function freePlaces(day: string, free: readonly FreePlace[], site: string): Starter {
  const lines = free.map(({ startTime, title, availableSpots }) => {
    return `${startTime}: ${title} (${availableSpots === 1 ? 'one place' : `${availableSpots} places`})`
  })
  return {
    name: 'Free place tomorrow',
    kind: 'marketing',
    subject: `A free place on ${formatDay(day)}`,
    text: `${GREETING}There is still room on ${formatDay(day)}:\n\n${lines.join('\n') || '…'}\n\nThe first to book has the place: ${site}/booking?date=${day}`,
  }
}
