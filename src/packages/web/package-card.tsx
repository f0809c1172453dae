import check from '@lucide/icons/icons/check'
import { formatMoney, formatPrice } from '#foundation/money.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { Package } from '../contract.ts'
import { classes, validity } from './packages.ts'

/** Source: the specification, section 9. */
const MOST_POPULAR_CLASSES = 8

/** A package in seven rows that it shares with its neighbours. */
export function PackageCard({ sold, onSelect }: { sold: Package; onSelect: (sold: Package) => void }) {
  const popular = sold.classCount === MOST_POPULAR_CLASSES
  const quiet = popular ? 'text-stone' : 'text-ink-mute'
  return (
    <article
      className={`row-span-7 grid grid-rows-subgrid gap-y-0 rounded-card p-[clamp(22px,1.9vw,36px)] shadow-rest ${popular ? 'bg-sage-dark text-paper' : 'bg-white'}`}
    >
      <div className="peer flex min-h-8 flex-wrap items-center gap-2 max-sm:empty:hidden">
        {popular && <span className="badge bg-sage-tint text-sage-dark">Most Popular</span>}
        {sold.isLimitedOffer && <span className="badge bg-clay-tint text-clay">Limited time offer</span>}
      </div>
      <h3 className="mt-4 max-sm:peer-empty:mt-0 text-[1.0625rem]/[1.4] font-medium">{sold.name}</h3>
      <p className="figure mt-4 text-[clamp(3.25rem,4.4vw,4.25rem)]/none tracking-[-0.02em]">
        {formatPrice(sold.price)}
      </p>
      <p className={`mt-2 text-[0.9375rem] ${quiet}`}>
        {formatMoney(Number(sold.price) / sold.classCount)} per class
        <span className="block">for one person</span>
      </p>
      <p className={`mt-5 ${popular ? 'text-stone' : 'text-ink-soft'}`}>
        {sold.description || `${classes(sold.classCount)} for ultimate flexibility`}
      </p>
      <ul
        className={`mt-6 mb-8 grid gap-3 border-t pt-6 ${popular ? 'border-white/16 text-stone' : 'border-line text-ink-soft'}`}
      >
        {[
          `${classes(sold.classCount)} included`,
          validity(sold.validityMonths),
          sold.maxParticipants === 1 ? 'One-on-one classes' : 'For one-on-one and duo classes',
        ].map((fact) => (
          <li key={fact} className="flex gap-3 leading-[1.45]">
            <Icon of={check} size={18} className={`mt-[3px] flex-none ${popular ? 'text-sage-tint' : 'text-sage'}`} />
            {fact}
          </li>
        ))}
      </ul>
      <Button variant={popular ? 'light' : 'secondary'} className="w-full self-end" onClick={() => onSelect(sold)}>
        Select Package <span className="sr-only">{sold.name}</span>
      </Button>
    </article>
  )
}
