import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { Purchase } from '#payments/contract.ts'

/** What the law says of a purchase that can still be cancelled by it, beside what the studio's own rule says. */
export function CoolingOffNote({ purchase: { cancellableUntil, beginRequestedAt } }: { purchase: Purchase }) {
  if (!cancellableUntil) return null
  return (
    <p className="mt-4 rounded-row bg-info-tint px-4 py-3 text-[0.9375rem]/[1.5] text-info">
      The law lets the member cancel this purchase until {formatDate(cancellableUntil)}.{' '}
      {beginRequestedAt
        ? `They asked on ${formatInstantDate(beginRequestedAt)} to begin before that, so by law they pay for the classes they have taken, in proportion, and get the rest.`
        : 'They have not asked to begin before that, so by law all of it is refunded, even if they have taken classes.'}
    </p>
  )
}
