import { studio } from '../studio.ts'

/** What is as old as this, or older, is over. */
export type Cutoffs = {
  /** Contact details: by the end of the last class, or the registration. */
  contact: Temporal.Instant
  /** Health information: by the end of the last class and the last save, whichever is later. */
  health: Temporal.Instant
  /** Of who never followed one: by when the newest invitation was mailed. */
  invitation: Temporal.Instant
  /** Purchases and payments: by when they were made. */
  financial: Temporal.Instant
  /** Lines of the records: by when they were written. */
  records: Temporal.Instant
}

/**
 * Until when things may be kept, seen from `now`: the same wall time so many years or months before. Exactly two
 * years after the last class contact details are over. Source: docs/studio-rules.md#retention
 */
export function cutoffsAt(now: Temporal.Instant): Cutoffs {
  const { contactYears, healthMonths, invitationMonths, financialYears, recordMonths } = studio.policies.retention
  const before = (span: { years: number } | { months: number }) =>
    now.toZonedDateTimeISO(studio.timeZone).subtract(span).toInstant()
  return {
    contact: before({ years: contactYears }),
    health: before({ months: healthMonths }),
    invitation: before({ months: invitationMonths }),
    financial: before({ years: financialYears }),
    records: before({ months: recordMonths }),
  }
}
