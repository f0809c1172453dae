import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { endSession } from '#accounts/web/end-session.tsx'
import { useSession } from '#accounts/web/session.ts'
import { CallError, errorMessage } from '#foundation/call.ts'
import { formatMoney } from '#foundation/money.ts'
import type { Package } from '#packages/contract.ts'
import { dismissToasts, toast } from '#ui/toast.ts'
import type { Gift } from '#vouchers/contract.ts'
import { paymentsApi } from './api.ts'
import BeginBox from './begin-box.tsx'
import {
  activateIfPaid,
  DECLINED,
  isAlreadyActivated,
  isPaymentPending,
  NOT_SENT,
  type PaymentFormProps,
  type PaymentResult,
  rememberPayment,
  type usePayment,
  type useQuote,
} from './checkout.ts'
import { tabKey } from './kept-order.ts'
import { useRenewal } from './renewal.ts'

/** The order that a form pays, and what the checkout does with the outcome. */
export type OrderFormProps = {
  sold: Package
  gift: Gift | undefined
  total: number
  quote: ReturnType<typeof useQuote>
  intent: ReturnType<typeof usePayment>['intent']
  publishableKey: string | null
  /** Whether the member asks to start early. It outlives the form. */
  begin: { isAsked: boolean; setAsked: (isAsked: boolean) => void }
  busy: boolean
  check: (paymentIntentId: string) => Promise<PaymentResult>
  onPaid: (paymentIntentId: string) => void
  onBought: (bought: 'pass' | 'voucher') => void
  onItsWay: () => void
  onUncertain: (paymentIntentId: string) => void
}

/** A provider's form with what both have in common: an order that is confirmed first, and renewed when it is gone. */
export function OrderForm({ Form, ...order }: OrderFormProps & { Form: ComponentType<PaymentFormProps> }) {
  const { sold, gift, total, quote, intent, begin, onItsWay } = order
  const queries = useQueryClient()
  const { user } = useSession()
  const [notConfirmed, setNotConfirmed] = useState<string>()
  const isOffered = !intent.isPlaceholderData && !order.busy
  const shown = isOffered && intent.data ? { id: intent.data.paymentIntentId, total } : undefined
  const renewal = useRenewal(shown, { quote, intent }, async (id) => (await order.check(id)) === 'no')
  if (!intent.data) return null

  const { clientSecret, paymentIntentId } = intent.data
  const payment = { packageId: sold.id, paymentIntentId }
  const confirm = async () => {
    dismissToasts()
    renewal.forget()
    setNotConfirmed(undefined)
    try {
      const { message, sendOn } = gift ?? {}
      const body = { tab: tabKey(), isBeginRequested: begin.isAsked, gift: gift && { message, sendOn } }
      await paymentsApi.confirmOrder.call({ params: { id: paymentIntentId }, body })
      rememberPayment(payment)
      return true
    } catch (error) {
      if (error instanceof CallError && error.status === 401) endSession()
      else if (isAlreadyActivated(error)) order.onBought(gift ? 'voucher' : 'pass')
      else if (isPaymentPending(error)) onItsWay()
      else if (paymentsApi.confirmOrder.isRefusal(error, 'payment_ended')) await renewal.renew()
      else setNotConfirmed(errorMessage(error, NOT_SENT))
      return false
    }
  }
  return (
    <div data-toasts-above>
      <Form
        clientSecret={clientSecret}
        publishableKey={order.publishableKey}
        returnUrl={`${location.origin}/dashboard?packageId=${sold.id}`}
        amountPence={Math.round(total * 100)}
        label={`Complete Payment - ${formatMoney(total)}`}
        busy={order.busy}
        isPreparing={intent.isPlaceholderData}
        notConfirmed={notConfirmed}
        onConfirming={confirm}
        onGone={renewal.renew}
        onResponseLost={async () => {
          const result = await order.check(paymentIntentId)
          if (result === 'unknown') order.onUncertain(paymentIntentId)
          return result
        }}
        payer={user && { name: `${user.firstName} ${user.lastName}`.trim(), email: user.email }}
        onPending={async () => {
          // Settle it before the dashboard asks for pending payments.
          const bought = await activateIfPaid(queries, payment).catch(() => false as const)
          if (bought) order.onBought(bought)
          else onItsWay()
        }}
        onPaid={order.onPaid}
        onDeclined={() => toast(DECLINED)}
        asked={
          <>
            {!gift && (
              <div className="border-t border-line pt-4">
                <BeginBox
                  isAsked={begin.isAsked}
                  onChange={begin.setAsked}
                  help="You can also decide this when you book."
                />
              </div>
            )}
            {renewal.before && <Renewed total={total} before={renewal.before.total} />}
          </>
        }
      />
    </div>
  )
}

/** The order was started again, because its payment was gone. Beside the button, where a phone shows it. */
function Renewed({ total, before }: { total: number; before: number }) {
  return (
    <p role="alert" className="rounded-row bg-info-tint px-4 py-3 text-small/normal text-info">
      Your order was no longer open, so we have started it again. Nothing was paid.
      {total !== before && ` The total is now ${formatMoney(total)}.`} Please check it and press the button again.
    </p>
  )
}
