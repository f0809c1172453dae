import type { ReactNode } from 'react'

/**
 * What the checkout and a card form agree on. Stripe's Payment Element and the sandbox's own card form both keep to
 * it, so the page does not know which one it hosts. A form that needs the member's bank leaves for `returnUrl` itself.
 */
export type PaymentFormProps = {
  clientSecret: string
  publishableKey: string | null
  /** Where the browser comes back to after a bank's page. */
  returnUrl: string
  /** The words on the button. */
  label: string
  /** What is asked before paying. It stands above the button. */
  asked: ReactNode
  /** About to ask the provider. */
  onConfirming: () => void
  /** The provider's answer was lost: asks whether the payment was made all the same. Only a `no` is the form's to say. */
  onUnheard: () => Promise<Heard>
  /** Who pays, as far as we know: the provider is told. */
  payer: { name: string; email: string } | undefined
  /** The provider says: on its way, by a method that takes days. */
  onUnderway: (paymentIntentId: string) => Promise<void>
  /** The provider says: paid. */
  onPaid: (paymentIntentId: string) => void
  /** The provider says no, or could not be asked. `reason` is for the member. */
  onDeclined: (reason?: string) => void
  /** What follows a payment is under way. */
  busy: boolean
}

/** `paid` and `unknown` are answered by the checkout, which goes on or offers to look again. */
export type Heard = 'paid' | 'no' | 'unknown'

/** `pi_1` of `pi_1_secret_2`. */
export function intentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] as string
}
