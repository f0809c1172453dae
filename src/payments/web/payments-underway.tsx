import clock from '@lucide/icons/icons/clock'
import { formatMoney } from '#foundation/money.ts'
import { Icon } from '#ui/icon.tsx'
import type { usePaymentsUnderway } from './checkout.ts'

type Underway = ReturnType<typeof usePaymentsUnderway>['data']

/** Says of payments by methods that take days that they are on their way; nothing where there are none. */
export function PaymentsUnderway({ underway }: { underway: Underway }) {
  if (!underway?.length) return null
  return (
    <ul className="mb-8 grid gap-3">
      {underway.map(({ package: bought, amount, since }) => (
        <li key={since} className="flex items-start gap-3 rounded-row bg-info-tint px-6 py-5 text-info">
          <Icon of={clock} aria-hidden size={22} strokeWidth={1.5} className="mt-0.5 flex-none" />
          <p>
            <span className="font-medium">Your payment is on its way.</span> {formatMoney(amount)} for {bought.name}.
            Your bank may take a few days to send it. We will email you when your pass is active, or if the payment
            fails.
          </p>
        </li>
      ))}
    </ul>
  )
}
