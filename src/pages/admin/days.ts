import { formatDate, londonDate } from '../../foundation/london.ts'

/** The London day of an instant as the wire writes it: `07/12/2026`. */
export const dayOf = (instant: string) => formatDate(londonDate(Temporal.Instant.from(instant)).toString())
