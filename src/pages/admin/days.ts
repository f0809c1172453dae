import { formatDate, studioDate, studioTime } from '../../foundation/dates.ts'

/** The day of an instant as the wire writes it: `07/12/2026`. */
export const dayOf = (instant: string) => formatDate(studioDate(Temporal.Instant.from(instant)).toString())

/** The day and time of an instant: `07/12/2026 09:30`. */
export const momentOf = (instant: string) => `${dayOf(instant)} ${studioTime(Temporal.Instant.from(instant))}`
