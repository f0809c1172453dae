import { formatInstantDate } from '../../foundation/instants.ts'
import type { Pass } from '../contract.ts'
import { nameOf } from './passes.ts'

/** One pass: name, credits left of how many as a thin bar, the day it expires. */
export function PassLine({ pass }: { pass: Pass }) {
  const share = pass.creditsTotal ? Math.min(1, pass.creditsRemaining / pass.creditsTotal) : 1
  return (
    <div className="py-3.5 sm:py-5">
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-medium">{nameOf(pass)}</p>
        <p className="text-[0.9375rem] whitespace-nowrap text-ink-soft">
          <span className="figure text-2xl text-ink">{pass.creditsRemaining}</span>{' '}
          {pass.creditsRemaining === 1 ? 'credit' : 'credits'} left
        </p>
      </div>
      <div aria-hidden className="mt-3 h-1 overflow-hidden rounded-full bg-sand">
        <div className="h-full rounded-full bg-sage" style={{ width: `${share * 100}%` }} />
      </div>
      <p className="mt-2 text-[0.875rem] text-ink-mute">Expires {formatInstantDate(pass.expiresAt)}</p>
      {pass.frozenAt && (
        <p className="mt-2 text-[0.9375rem]/[1.4] text-warn">
          On hold: a bank is looking into the payment. Until that is decided it cannot be used for new bookings.
        </p>
      )}
    </div>
  )
}
