import { useQuery } from '@tanstack/react-query'
import { useMemberMutation } from '../../accounts/web/member-mutation.ts'
import { call } from '../../foundation/call.ts'
import { packagesKey } from '../../packages/web/packages.ts'
import { passesKey } from '../../passes/web/passes.ts'
import type { createPaymentIntent, getPaymentSetup, purchasePackage } from '../contract.ts'

/** Who takes the money: Stripe, the sandbox, or nobody at the moment. */
export function usePaymentSetup() {
  return useQuery({
    queryKey: ['payment-setup'],
    queryFn: () => call<typeof getPaymentSetup>({ method: 'GET', path: '/api/payment-setup' }),
  })
}

/** Begins the payment on arrival. Both are needed, the amount greater than 0. Asked anew on every visit. */
export function usePaymentIntent(packageId: number, amount: number, enabled: boolean) {
  return useQuery({
    queryKey: ['payment-intent', packageId, amount],
    queryFn: () =>
      call<typeof createPaymentIntent>(
        { method: 'POST', path: '/api/create-payment-intent' },
        { body: { packageId, amount } },
      ),
    enabled: enabled && packageId > 0 && amount > 0,
    gcTime: 0,
  })
}

export const DECLINED = {
  title: 'Payment Failed',
  description: 'Payment failed, Please try using a different card or method of payment',
  tone: 'error',
} as const

export const NOT_ACTIVATED = {
  title: 'Error',
  description: 'Payment successful but failed to activate pass. Please contact support.',
  tone: 'error',
} as const

export const NOT_INITIALIZED = {
  title: 'Error',
  description: 'Failed to initialize payment. Please try again.',
  tone: 'error',
} as const

/** Turns a payment that succeeded into a pass. Safe to repeat: the same payment is always the same pass. */
export function useActivate({ onActivated, onFailed }: { onActivated: () => void; onFailed: (error: Error) => void }) {
  return useMemberMutation({
    mutationFn: (body: { packageId: number; paymentIntentId: string }) =>
      call<typeof purchasePackage>({ method: 'POST', path: '/api/purchase-package' }, { body }),
    stale: [passesKey, packagesKey],
    onSuccess: onActivated,
    onError: onFailed,
  })
}
