import download from '@lucide/icons/icons/download'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { formRefusal } from '#foundation/call.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { Icon } from '#ui/icon.tsx'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import type { SendForm, Voucher } from '#vouchers/contract.ts'
import { STATE_WORDS } from '#vouchers/rules.ts'
import { vouchersApi } from '#vouchers/web/api.ts'

const resolver = lazyResolver(async () => (await import('#vouchers/web/form-rules.ts')).send)

/** How a voucher gets to its recipient. */
export function voucherWay({ recipientEmail, sendAt, sentAt }: Voucher): string {
  if (!recipientEmail) return 'We’ve emailed you the card to print.'
  if (sentAt) return `We emailed it to ${recipientEmail} on ${formatInstantDate(sentAt)}.`
  return `We’ll email it to ${recipientEmail}${sendAt ? ` on ${formatInstantDate(sendAt)}` : ''}.`
}

export function VoucherCardLink({ voucher: { id, lastFour } }: { voucher: Voucher }) {
  return (
    <a
      href={`/api/user/vouchers/${id}/card.pdf`}
      download
      className="link inline-flex min-h-11 items-center gap-2 text-small"
    >
      <Icon of={download} size={18} /> Download the card{' '}
      <span className="sr-only">as PDF, code ending in {lastFour}</span>
    </a>
  )
}

/** A gift voucher among the buyer's receipts: its state, its card, and a form that emails it again. */
export function OwnVoucher({ voucher }: { voucher: Voucher }) {
  const { id, state, lastFour, recipientName, recipientEmail, expiresAt } = voucher
  const [isSending, setSending] = useState(false)
  const form = useForm({ resolver, defaultValues: { recipientEmail: recipientEmail ?? '' } })
  const send = useMemberMutation({
    mutationFn: (body: SendForm) => vouchersApi.sendOwnVoucher.call({ params: { id }, body }),
    onDone: () => setSending(false),
  })
  const isOpen = state === 'valid'
  return (
    <div className="basis-full text-small text-ink-soft wrap-anywhere">
      <p>
        Gift voucher{recipientName && ` for ${recipientName}`}.{' '}
        {isOpen ? `Valid until ${formatInstantDate(expiresAt)}.` : `${STATE_WORDS[state]}.`}
      </p>
      {isOpen && <p role="status">{voucherWay(voucher)}</p>}
      {isOpen && (
        <div className="flex flex-wrap items-center gap-x-6">
          <VoucherCardLink voucher={voucher} />
          {!isSending && (
            <Button
              variant="quiet"
              small
              className="-mx-2 px-2 underline underline-offset-4"
              aria-label={`Email the voucher for ${recipientName} again, code ending in ${lastFour}`}
              onClick={() => setSending(true)}
            >
              Email it again
            </Button>
          )}
        </div>
      )}
      {isOpen && isSending && (
        <Form form={form} onSubmit={send.mutate} error={send.error} className="mt-2 grid gap-3">
          <TextField
            name="recipientEmail"
            label="Their email address"
            type="email"
            autoFocus
            help="With another address the voucher gets a new code, and the former one no longer works."
          />
          <FormError>{formRefusal(send.error, 'The voucher could not be sent. Please try again.')}</FormError>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" small busy={send.isPending}>
              Send
            </Button>
            <Button variant="quiet" small onClick={() => setSending(false)}>
              Cancel
            </Button>
          </div>
        </Form>
      )}
    </div>
  )
}
