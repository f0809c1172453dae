import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { CallError, sentenceOf } from '../../foundation/call.ts'
import type { Package } from '../../packages/contract.ts'
import { studio } from '../../studio.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { toast } from '../../ui/toast.ts'
import { DECLINED, NOT_ACTIVATED, NOT_INITIALIZED, useActivate, usePaymentIntent, usePaymentSetup } from './checkout.ts'

const FORMS = {
  stripe: lazy(() => import('./stripe-form.tsx')),
  sandbox: lazy(() => import('./sandbox-form.tsx')),
}

/** The payment: begun on arrival, confirmed by the member with the provider, then turned into a pass. */
export function PaymentCard({ sold, amount }: { sold: Package; amount: number }) {
  const navigate = useNavigate()
  const setup = usePaymentSetup()
  const provider = setup.data?.provider
  const intent = usePaymentIntent(sold.id, amount, provider !== undefined && provider !== 'disabled')
  const [paid, setPaid] = useState<string>()
  const activate = useActivate({
    onActivated: () => navigate('/dashboard', { state: { purchased: true }, replace: true }),
    onFailed: () => toast(NOT_ACTIVATED),
  })
  const disabled = provider === 'disabled' || (intent.error instanceof CallError && intent.error.status === 503)
  const failed = setup.error ?? intent.error

  useEffect(() => {
    if (failed && !disabled) toast(NOT_INITIALIZED)
  }, [failed, disabled])

  if (disabled) return <Stopped>Payment processing is temporarily disabled.</Stopped>
  if (failed) {
    return (
      <Stopped>
        {sentenceOf(failed, NOT_INITIALIZED.description)}
        <Button
          look="secondary"
          busy={intent.isFetching}
          onClick={() => (setup.error ? setup.refetch() : intent.refetch())}
        >
          Try again
        </Button>
      </Stopped>
    )
  }
  if (activate.isError && paid) {
    return (
      <Stopped>
        {sentenceOf(activate.error, NOT_ACTIVATED.description)}
        <span className="text-[0.9375rem] text-ink-mute">
          {studio.phone} · {studio.email}
        </span>
        <Button
          busy={activate.isPending}
          onClick={() => activate.mutate({ packageId: sold.id, paymentIntentId: paid })}
        >
          Try again
        </Button>
      </Stopped>
    )
  }
  if (!provider || !intent.data) return <Spinner label="Preparing your payment" visible />

  const Form = FORMS[provider as keyof typeof FORMS]
  return (
    <Suspense fallback={<Spinner label="Preparing your payment" visible />}>
      <Form
        clientSecret={intent.data.clientSecret}
        publishableKey={setup.data?.publishableKey ?? null}
        returnUrl={`${location.origin}/dashboard?packageId=${sold.id}`}
        label={`Complete Payment - £${amount.toFixed(2)}`}
        busy={activate.isPending || activate.isSuccess}
        onPaid={(paymentIntentId) => {
          setPaid(paymentIntentId)
          activate.mutate({ packageId: sold.id, paymentIntentId })
        }}
        onDeclined={() => toast(DECLINED)}
      />
    </Suspense>
  )
}

function Stopped({ children }: { children: React.ReactNode }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-5 rounded-row bg-linen px-6 py-6">
      {children}
      <ButtonLink to="/pricing" look="quiet" small>
        Back to Pricing
      </ButtonLink>
    </div>
  )
}
