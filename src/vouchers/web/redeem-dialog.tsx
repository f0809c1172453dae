import { useForm } from 'react-hook-form'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { formRefusal } from '#foundation/call.ts'
import { many } from '#foundation/collections.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { Pass } from '#passes/contract.ts'
import { nameOf } from '#passes/web/passes.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { usePreload } from '#ui/late.tsx'
import { lazyResolver } from '#ui/lazy-resolver.ts'
import type { RedeemForm } from '../contract.ts'
import { vouchersApi } from './api.ts'

const loadRules = () => import('./form-rules.ts')
const resolver = lazyResolver(async () => (await loadRules()).redeem)

export default function RedeemDialog({ onClose }: { onClose: () => void }) {
  usePreload(loadRules)
  const form = useForm({ resolver, defaultValues: { code: '' } })
  const redeem = useMemberMutation({ mutationFn: (body: RedeemForm) => vouchersApi.redeemVoucher.call({ body }) })
  return (
    <Dialog
      onClose={onClose}
      title={redeem.data ? 'Your voucher has been redeemed' : 'Redeem a voucher'}
      {...(redeem.data ? {} : { description: 'The code is on your voucher card and in the email that came with it.' })}
    >
      {redeem.data ? (
        <Redeemed pass={redeem.data} onClose={onClose} />
      ) : (
        <Form form={form} onSubmit={redeem.mutate} error={redeem.error} className="mt-6 grid gap-5">
          <TextField
            name="code"
            label="Code"
            help="12 letters and digits. Hyphens and capitals do not matter."
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
          />
          <FormError>{formRefusal(redeem.error, 'The voucher could not be redeemed. Please try again.')}</FormError>
          <DialogActions onClose={onClose}>
            <Button type="submit" busy={redeem.isPending}>
              Redeem voucher
            </Button>
          </DialogActions>
        </Form>
      )}
    </Dialog>
  )
}

function Redeemed({ pass, onClose }: { pass: Pass; onClose: () => void }) {
  return (
    <>
      <p className="mt-4 wrap-anywhere" role="status">
        You have {nameOf(pass)} with {many(pass.creditsTotal, 'credit')}, valid until{' '}
        {formatInstantDate(pass.expiresAt)}.
      </p>
      <DialogActions onClose={onClose} cancel="Close">
        <ButtonLink to="/booking">Book a class</ButtonLink>
      </DialogActions>
    </>
  )
}
