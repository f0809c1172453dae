import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import type { PaymentFormProps } from './checkout.ts'
import { OrderForm, type OrderFormProps } from './order-form.tsx'

const CURRENCY = studio.currency.toLowerCase()

/** Stripe's Payment Element. Stripe's script loads on this page only. */
export default function StripeForm(order: OrderFormProps) {
  return <OrderForm {...order} Form={StripeElements} />
}

function StripeElements(props: PaymentFormProps) {
  const elsewhere = cameFromAnotherDocument()
  useEffect(() => {
    if (elsewhere) location.reload()
  }, [elsewhere])
  const stripe = useMemo(
    () => (elsewhere ? null : loadStripe(props.publishableKey ?? '')),
    [elsewhere, props.publishableKey],
  )
  return (
    <Elements
      stripe={stripe}
      options={{
        // Without a payment, so that what was typed stays when the order gets another one.
        mode: 'payment',
        amount: props.amountPence,
        currency: CURRENCY,
        locale: 'en-GB',
        appearance: {
          variables: { colorPrimary: '#4a503d', colorText: '#2b2722', colorDanger: '#a03a2e', borderRadius: '8px' },
        },
      }}
    >
      <Form {...props} />
    </Elements>
  )
}

/** Only the document of /checkout may load Stripe's script; client-side navigation would keep the old policy. */
function cameFromAnotherDocument(): boolean {
  const [document] = performance.getEntriesByType('navigation')
  return document !== undefined && new URL(document.name).pathname !== '/checkout'
}

/** Errors after which the payment may have been made. */
const RESPONSE_LOST: readonly string[] = ['api_connection_error', 'api_error']

function Form({
  clientSecret,
  returnUrl,
  label,
  asked,
  payer,
  onConfirming,
  onGone,
  onResponseLost,
  onPaid,
  onPending,
  onDeclined,
  busy,
  isPreparing,
  notConfirmed,
}: PaymentFormProps) {
  const stripe = useStripe()
  const elements = useElements()
  const running = useRef(false)
  const [ready, setReady] = useState(false)
  const [working, setWorking] = useState(false)
  const [refused, setRefused] = useState<string>()

  const pay = async (event: FormEvent) => {
    event.preventDefault()
    if (!stripe || !elements) return
    if (running.current) return
    running.current = true
    setWorking(true)
    setRefused(undefined)
    const end = () => {
      running.current = false
      setWorking(false)
    }
    // Checks the fields, and opens Apple Pay or Link.
    const { error: incomplete } = await elements.submit()
    if (incomplete || !(await onConfirming())) {
      if (incomplete && incomplete.type !== 'validation_error') setRefused(incomplete.message)
      return end()
    }
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      clientSecret,
      confirmParams: { return_url: returnUrl, ...(payer && { payment_method_data: { billing_details: payer } }) },
      redirect: 'if_required',
    })
    const result = error && RESPONSE_LOST.includes(error.type) ? await onResponseLost() : 'no'
    if (result === 'paid') return
    const known = paymentIntent ?? error?.payment_intent
    if (known?.status === 'processing') return await onPending(known.id)
    if (known?.status === 'canceled') await onGone()
    end()
    if (result === 'unknown' || known?.status === 'canceled') return
    if (known?.status === 'succeeded') return onPaid(known.id)
    // Stripe shows field errors itself.
    if (error?.type !== 'validation_error') {
      setRefused(error?.message ?? 'The payment was not completed.')
      onDeclined(error?.message)
    }
  }
  return (
    <form onSubmit={pay} className="grid gap-5">
      <PaymentElement
        options={payer ? { defaultValues: { billingDetails: payer } } : {}}
        onReady={() => setReady(true)}
      />
      <FormError>{refused ?? notConfirmed}</FormError>
      {asked}
      <Button type="submit" disabled={!ready || isPreparing} busy={working || busy} className="w-full px-4">
        {working || busy ? 'Processing payment…' : label}
      </Button>
    </form>
  )
}
