import { useEffect, useEffectEvent, useState } from 'react'
import { studio } from '#studio.ts'
import type { usePayment, useQuote } from './checkout.ts'

/** Before a code's reservation ends. */
const CHECK_AFTER_MS = (studio.policies.codeReservedMinutes - 5) * 60_000

/**
 * Starts an order again when its payment is gone: because its time was over, another tab took its code, or it was
 * cancelled. Looks when the tab is shown again, regularly, and when `renew` is called after a press.
 *
 * @param shown the payment that the page offers; undefined while it offers none
 * @param isUnpaid whether the payment is known not to be paid, and not on its way
 */
export function useRenewal(
  shown: { id: string; total: number } | undefined,
  { quote, intent }: { quote: ReturnType<typeof useQuote>; intent: ReturnType<typeof usePayment>['intent'] },
  isUnpaid: (id: string) => Promise<boolean>,
) {
  const [before, setBefore] = useState<{ id: string; total: number }>()
  const renew = async () => {
    if (!shown || !(await isUnpaid(shown.id))) return
    setBefore(shown)
    // Without its code it is another order, which is started by itself.
    if (!(await quote.check())) return
    const { data } = await intent.refetch()
    if (data?.paymentIntentId === shown.id) setBefore(undefined)
  }
  const look = useEffectEvent(() => {
    if (document.visibilityState === 'visible') void renew()
  })
  useEffect(() => {
    const onShown = () => look()
    document.addEventListener('visibilitychange', onShown)
    const timer = setInterval(onShown, CHECK_AFTER_MS)
    return () => {
      document.removeEventListener('visibilitychange', onShown)
      clearInterval(timer)
    }
  }, [])
  const isRenewed = before !== undefined && shown !== undefined && shown.id !== before.id
  return {
    renew,
    /** What the page showed before the order was started again; undefined if it was not. */
    before: isRenewed ? before : undefined,
    forget: () => setBefore(undefined),
  }
}
