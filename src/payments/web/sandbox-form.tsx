import { zodResolver } from '@hookform/resolvers/zod'
import flaskConical from '@lucide/icons/icons/flask-conical'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { Icon } from '#ui/icon.tsx'
import { intentIdOf, NOT_SENT, type PaymentFormProps } from './checkout.ts'
import { OrderForm, type OrderFormProps } from './order-form.tsx'

const TEST_ACCOUNT = '00012345'

const CardForm = z.object({
  number: z.string().regex(/^(\d\s?){12,19}$/, 'Please enter the card number'),
  expiry: z.string().regex(/^(0?[1-9]|1[0-2])\s?\/?\s?(\d\d|20\d\d)$/, 'Please use MM/YY'),
  cvc: z.string().regex(/^\d{3,4}$/, '3 or 4 digits'),
  name: z.string().regex(/\S/, 'Please enter the name on the card'),
})

export default function SandboxForm(order: OrderFormProps) {
  return <OrderForm {...order} Form={TestCards} />
}

/** The sandbox's card form: test cards only. */
function TestCards(props: PaymentFormProps) {
  const running = useRef(false)
  const [working, setWorking] = useState(false)
  const [refused, setRefused] = useState<string>()
  const form = useForm({
    resolver: zodResolver(CardForm),
    defaultValues: { number: '', expiry: '', cvc: '', name: props.payer?.name ?? '' },
  })

  // Back from the bank's page, the browser may restore this page from its cache.
  useEffect(() => {
    const backAgain = (event: PageTransitionEvent) => event.persisted && end()
    addEventListener('pageshow', backAgain)
    return () => removeEventListener('pageshow', backAgain)
  })
  const end = () => {
    running.current = false
    setWorking(false)
  }

  const pay = ({ number, expiry, cvc, name }: z.output<typeof CardForm>) => {
    const [, expMonth = '', year = ''] = /^(\d{1,2}?)\s?\/?\s?(\d\d|20\d\d)$/.exec(expiry) ?? []
    const expYear = year.length === 2 ? `20${year}` : year
    return confirm({ number, expMonth, expYear, cvc, name, email: props.payer?.email })
  }
  const debit = () => confirm({ account: TEST_ACCOUNT, name: props.payer?.name ?? 'Test', email: props.payer?.email })

  async function confirm(paidWith: Card | Debit) {
    if (running.current) return
    running.current = true
    setWorking(true)
    setRefused(undefined)
    if (!(await props.onConfirming())) return end()
    try {
      const confirmed = await confirmWithSandbox(
        {
          paymentIntentId: intentIdOf(props.clientSecret),
          clientSecret: props.clientSecret,
          key: props.publishableKey ?? '',
          returnUrl: props.returnUrl,
        },
        paidWith,
      )
      // The page is about to leave; the button stays busy.
      if (confirmed.outcome === 'bank') return location.assign(confirmed.url)
      if (confirmed.outcome === 'paid') props.onPaid(confirmed.paymentIntentId)
      else if (confirmed.outcome === 'pending') await props.onPending(confirmed.paymentIntentId)
      else if (confirmed.outcome === 'gone') await props.onGone()
      else {
        setRefused(confirmed.reason ?? 'Your card was declined.')
        props.onDeclined(confirmed.reason)
      }
    } catch {
      const result = await props.onResponseLost()
      if (result === 'paid') return
      if (result === 'unknown') return end()
      setRefused(NOT_SENT)
      props.onDeclined()
    }
    end()
  }

  const inGroupsOfFour = (number: string) =>
    number
      .replace(/\D/g, '')
      .slice(0, 19)
      .replace(/(.{4})(?=.)/g, '$1 ')
  return (
    <Form form={form} onSubmit={pay} className="grid gap-5">
      <p className="flex gap-3 rounded-row bg-info-tint px-4 py-3 text-small/normal text-info">
        <Icon of={flaskConical} size={20} className="mt-px flex-none" />
        <span>
          Sandbox test payment: no money moves. Use card <span className="whitespace-nowrap">4242 4242 4242 4242</span>{' '}
          with any future date and any CVC.
        </span>
      </p>
      <TextField
        name="number"
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        rules={{ onChange: ({ target }) => form.setValue('number', inGroupsOfFour(target.value)) }}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField name="expiry" label="Expiry" inputMode="numeric" placeholder="MM/YY" autoComplete="cc-exp" />
        <TextField name="cvc" label="CVC" inputMode="numeric" autoComplete="cc-csc" />
      </div>
      <TextField name="name" label="Name on card" autoComplete="cc-name" />
      <FormError>{refused ?? props.notConfirmed}</FormError>
      {props.asked}
      <Button type="submit" disabled={props.isPreparing} busy={working || props.busy} className="w-full px-4">
        {working || props.busy ? 'Processing payment…' : props.label}
      </Button>
      <Button
        variant="quiet"
        small
        disabled={working || props.busy || props.isPreparing}
        onClick={debit}
        className="justify-self-center"
      >
        Test a bank debit (takes half a minute)
      </Button>
    </Form>
  )
}

type Confirmation =
  | { outcome: 'paid'; paymentIntentId: string }
  | { outcome: 'pending'; paymentIntentId: string }
  | { outcome: 'bank'; url: string }
  | { outcome: 'gone' }
  | { outcome: 'declined'; reason: string | undefined }

type Payer = { name: string; email: string | undefined }
type Card = Payer & { number: string; expMonth: string; expYear: string; cvc: string }
type Debit = Payer & { account: string }

/** Confirms a sandbox payment as Stripe's script would: form-encoded, with key and client secret. */
async function confirmWithSandbox(
  {
    paymentIntentId,
    clientSecret,
    key,
    returnUrl,
  }: { paymentIntentId: string; clientSecret: string; key: string; returnUrl: string },
  paidWith: Card | Debit,
): Promise<Confirmation> {
  const response = await fetch(`/sandbox/stripe/v1/payment_intents/${encodeURIComponent(paymentIntentId)}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({
      key,
      client_secret: clientSecret,
      return_url: returnUrl,
      ...('number' in paidWith ? cardFields(paidWith) : debitFields(paidWith)),
      'payment_method_data[billing_details][name]': paidWith.name,
      ...(paidWith.email && { 'payment_method_data[billing_details][email]': paidWith.email }),
    }),
  })
  // The payment may have been made.
  if (response.status >= 500) throw new Error(`the sandbox replied with ${response.status}`)
  const sandboxResponse: SandboxResponse = await response.json()
  if (sandboxResponse.status === 'succeeded')
    return { outcome: 'paid', paymentIntentId: sandboxResponse.id ?? paymentIntentId }
  if (sandboxResponse.error?.payment_intent?.status === 'succeeded') return { outcome: 'paid', paymentIntentId }
  if (sandboxResponse.error?.payment_intent?.status === 'canceled') return { outcome: 'gone' }
  if (sandboxResponse.status === 'processing')
    return { outcome: 'pending', paymentIntentId: sandboxResponse.id ?? paymentIntentId }
  const url = sandboxResponse.next_action?.redirect_to_url?.url
  if (sandboxResponse.status === 'requires_action' && url) return { outcome: 'bank', url }
  return { outcome: 'declined', reason: sandboxResponse.error?.message }
}

function cardFields(card: Card): Record<string, string> {
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number.replace(/\s/g, ''),
    'payment_method_data[card][exp_month]': card.expMonth,
    'payment_method_data[card][exp_year]': card.expYear,
    'payment_method_data[card][cvc]': card.cvc,
  }
}

function debitFields({ account }: Debit): Record<string, string> {
  return {
    'payment_method_data[type]': 'bacs_debit',
    'payment_method_data[bacs_debit][sort_code]': '108800',
    'payment_method_data[bacs_debit][account_number]': account,
  }
}

type SandboxResponse = {
  id?: string
  status?: string
  next_action?: { redirect_to_url?: { url?: string } }
  error?: { message?: string; payment_intent?: { status?: string } }
}
