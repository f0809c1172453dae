import { lazy, Suspense, useState } from 'react'
import { formatMoney } from '#foundation/money.ts'
import { Button } from '#ui/button.tsx'
import type { useQuote } from './checkout.ts'

const PromotionCodeForm = lazy(() => import('./promotion-code-form.tsx'))

/** A line that opens into a field for a promotion code, then what the code takes off. */
export function PromotionCodeField({ quote }: { quote: ReturnType<typeof useQuote> }) {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { code, discounts, error, isChecking } = quote
  if (code && discounts.length > 0) {
    return (
      <div
        className="mb-5 flex w-full flex-wrap items-center justify-between gap-x-4 rounded-row bg-linen py-1 pr-2 pl-4"
        role="status"
      >
        {discounts.map(({ label, amount }) => (
          <p key={label}>
            {label}: <span className="font-medium whitespace-nowrap">{formatMoney(amount)}</span>
          </p>
        ))}
        <Button
          variant="quiet"
          small
          onClick={() => {
            setTyped('')
            quote.remove()
          }}
        >
          Remove code
        </Button>
      </div>
    )
  }
  if (!isOpen && !error && !isChecking) {
    return (
      <Button variant="quiet" small className="mb-3 -ml-4" onClick={() => setOpen(true)}>
        Have a code?
      </Button>
    )
  }
  return (
    <Suspense>
      <PromotionCodeForm quote={quote} typed={typed} onType={setTyped} isOpen={isOpen} />
    </Suspense>
  )
}
