import { formatDate } from '#foundation/dates.ts'
import { formatInstantDate, today } from '#foundation/instants.ts'
import { Arches, canDrawArches } from '#ui/arches.tsx'
import { present } from '#ui/use-now.ts'
import type { Pass } from '../contract.ts'
import { pauseFrom } from '../rules.ts'
import { nameOf } from './passes.ts'

export function PassLine({ pass }: { pass: Pass }) {
  const pause = pauseFrom(pass, today(present()))
  return (
    <div className="py-3.5 sm:py-5">
      <div className="flex items-baseline justify-between gap-4">
        <p className="font-medium">{nameOf(pass)}</p>
        <p className="text-small whitespace-nowrap text-ink-soft">
          <span className="figure text-2xl text-ink">{pass.creditsRemaining}</span>{' '}
          {pass.creditsRemaining === 1 ? 'credit' : 'credits'} left
        </p>
      </div>
      <div className="mt-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <Credits left={pass.creditsRemaining} of={pass.creditsTotal} />
        <p className="text-caption text-ink-mute">Expires {formatInstantDate(pass.expiresAt)}</p>
      </div>
      {pass.frozenAt && (
        <p className="mt-2 text-small/snug text-warn">
          On hold: the bank is reviewing the payment. Until it decides, this pass cannot be used for new bookings.
        </p>
      )}
      {pause && (
        <p className="mt-2 text-small/snug text-warn">
          Paused from {formatDate(pause.from)} to {formatDate(pause.to)}. It cannot be used for classes on these days.
        </p>
      )}
    </div>
  )
}

/** Arches, or a thin bar if there are many credits. Returned credits may exceed the original number. */
function Credits({ left, of }: { left: number; of: number }) {
  const count = Math.max(left, of)
  if (canDrawArches(count)) return <Arches count={count} filled={left} />
  return (
    <div aria-hidden className="my-1 w-full rounded-full bg-sand forced-colors:border-b print:border-b">
      <div className="rounded-full border-t-4 border-sage" style={{ width: `${(left / count) * 100}%` }} />
    </div>
  )
}
