import { formatDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import type { LedgerLine } from '../contract.ts'

const WORDS: Record<LedgerLine['kind'], string> = {
  purchase: 'Pass bought',
  gift: 'Credits given',
  booking: 'Class booked',
  return: 'Credit returned',
  goodwill: 'Credit given back',
  forfeit: 'Cancelled, credit not returned',
  no_show: 'Not attended, credit not returned',
  expiry: 'Expired unused',
  refund: 'Refunded',
  correction: 'Credits taken away',
}

/** What a line of the ledger says happened. */
export function whatHappened({ kind, credits }: LedgerLine): string {
  if (kind === 'correction' && credits === 0) return 'Attendance corrected'
  if (kind === 'correction' && credits > 0) return 'Credits added'
  return WORDS[kind]
}

/** The class a line is about: `Duo, 07/12/2026 at 09:30`. */
export function classInWords({ class: about }: LedgerLine): string | null {
  return about && `${about.title}, ${formatDate(about.date)} at ${about.startTime}`
}

/** Why, where the line says it or its kind and cause do. */
export function whyItHappened({ kind, reason, causedBy }: LedgerLine): string | null {
  if (reason) return reason
  const minutes = studio.policies.lateCancellationMinutes
  if (kind === 'forfeit') return `Cancelled in the last ${minutes} minutes before the start`
  if (kind === 'return' && causedBy) return `Cancelled more than ${minutes} minutes before the start`
  return null
}

/** Who caused a line, as the member reads it; null where an old line does not say. */
export function whoForMember({ causedBy }: LedgerLine): string | null {
  return (
    causedBy &&
    { member: 'by you', admin: 'by the studio', system: 'automatically', provider: 'by the card provider' }[causedBy.by]
  )
}

/** Who caused a line, as the studio reads it; null where an old line does not say. */
export function whoForAdmin({ causedBy }: LedgerLine): string | null {
  if (causedBy?.by === 'admin') return causedBy.name ?? 'A former admin'
  return causedBy && { member: 'The member', system: 'Automatic', provider: 'The card provider' }[causedBy.by]
}

/** `+1`, `−1`, `0`. */
export function creditsInWords({ credits }: LedgerLine): string {
  return credits > 0 ? `+${credits}` : credits < 0 ? `−${-credits}` : '0'
}
