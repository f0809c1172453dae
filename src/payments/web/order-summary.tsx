import check from '@lucide/icons/icons/check'
import lock from '@lucide/icons/icons/lock'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { studio } from '#studio.ts'
import { Arches, canDrawArches } from '#ui/arches.tsx'
import { Badge } from '#ui/badge.tsx'
import { Icon } from '#ui/icon.tsx'

const NOTES = [
  'Secure payment via the card provider',
  'Your pass is activated immediately after payment',
  `All classes are ${studio.session.minutes}-minute duo sessions of up to 2 participants`,
  studio.session.credit,
]

export function OrderSummary({ sold }: { sold: Package }) {
  const facts = [
    ['Classes included', sold.classCount],
    ['Validity', `${sold.validityMonths} month${sold.validityMonths === 1 ? '' : 's'}`],
    ['Max participants per class', sold.maxParticipants],
  ] as const
  return (
    <section aria-labelledby="order" className="rounded-card bg-linen p-6 sm:p-8 lg:sticky lg:top-28">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="order" className="text-[1.0625rem] font-medium">
          Order summary
        </h2>
        {sold.isLimitedOffer && <Badge tone="clay">Limited time offer</Badge>}
      </div>
      <p className="mt-6 font-serif text-[1.75rem]/[1.1]">{sold.name}</p>
      {canDrawArches(sold.classCount) && (
        <div className="mt-3">
          <Arches count={sold.classCount} filled={sold.classCount} />
        </div>
      )}
      <dl className="mt-5 border-t border-line">
        {facts.map(([term, value]) => (
          <div key={term} className="flex justify-between gap-4 border-b border-line py-3 text-base">
            <dt className="text-ink-soft">{term}</dt>
            <dd className="font-medium">{value}</dd>
          </div>
        ))}
        <div className="flex items-baseline justify-between gap-4 pt-5">
          <dt>Total</dt>
          <dd className="figure text-[2.75rem]">{formatMoney(sold.price)}</dd>
        </div>
      </dl>
      <ul className="mt-6 grid gap-2.5 border-t border-line pt-6 text-[0.9375rem]/[1.45] text-ink-soft">
        {NOTES.map((note, i) => {
          const icon = i === 0 ? lock : check
          return (
            <li key={note} className="flex gap-3">
              <Icon of={icon} size={18} className="mt-0.5 flex-none text-sage" /> {note}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
