import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { newKey } from '#foundation/lost-answers.ts'
import { memberQueries } from '#insights/web/api.ts'
import { promptQueries } from '#mailings/web/messages.ts'
import { packagesApi } from '#packages/web/packages.ts'
import { GiftForm } from '#passes/contract.ts'
import { passesApi, passQueries } from '#passes/web/passes.ts'
import { studio } from '#studio.ts'
import { SelectField } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import type { NamedUser } from './named-user.ts'

/** The validity choices (specification, section 9). */
const MONTHS = [3, 6, 12, 24] as const

/**
 * Gives a member a pass with credits, without payment.
 *
 * @param onGiven where it goes on; without it the dialog closes
 * @param suggests begins with the smallest package that can be bought again and again
 */
export function GiftCreditsDialog({
  user,
  suggests = false,
  onGiven,
  onClose,
}: {
  user: NamedUser
  suggests?: boolean
  onGiven?: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Gift Credits"
      description={`A pass for ${user.firstName} ${user.lastName}, without payment.`}
    >
      <QueryView
        query={useQuery(packagesApi.listAllPackages.queryOptions())}
        failed="The packages could not be loaded."
      >
        {(packages) => (
          <Form
            user={user}
            suggested={suggests ? packages.find((p) => p.isActive && !p.purchaseOncePerUser)?.id : undefined}
            packages={packages.map(({ id, name, isActive }) => [id, isActive ? name : `${name} (hidden)`])}
            onGiven={onGiven ?? onClose}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

function Form({
  user,
  suggested,
  packages,
  onGiven,
  onClose,
}: {
  user: NamedUser
  suggested: number | undefined
  packages: (readonly [number, string])[]
  onGiven: () => void
  onClose: () => void
}) {
  const form = useForm({
    resolver: zodResolver(GiftForm),
    defaultValues: { packageId: suggested ? String(suggested) : '', creditsToGift: 1, expiryMonths: 12 },
  })
  // An opened dialog is one gift, however often its answer is lost.
  const [key] = useState(newKey)
  const send = ({ packageId, ...sent }: GiftForm) =>
    passesApi.giftCredits.call(
      // The specification sends the user twice, in the path and in the body.
      { params: { userId: user.id }, body: { packageId: Number(packageId), ...sent, ...{ userId: user.id } }, key },
    )
  const gift = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: { success: 'Credits gifted successfully', failure: 'Failed to gift credits' },
    stale: [...memberQueries, ...passQueries, ...promptQueries],
    onSuccess: onGiven,
  })
  const { errors } = form.formState
  return (
    <DialogForm form={form} mutation={gift} submit="Gift Credits" onClose={onClose}>
      <SelectField
        label="Package"
        choose="Choose a package"
        options={packages}
        error={errors.packageId?.message}
        {...form.register('packageId')}
      />
      <TextField
        label="Credits"
        help={studio.session.credit}
        type="number"
        inputMode="numeric"
        min={1}
        max={50}
        error={errors.creditsToGift?.message}
        {...form.register('creditsToGift', {
          valueAsNumber: true,
          // Invalid input counts as 1 (specification, section 9).
          onBlur: ({ target }) => {
            if (!(Number.isInteger(target.valueAsNumber) && target.valueAsNumber >= 1))
              form.setValue('creditsToGift', 1, { shouldValidate: true })
          },
        })}
      />
      <SelectField
        label="Valid for"
        options={MONTHS.map((months) => [months, `${months} months`])}
        error={errors.expiryMonths?.message}
        {...form.register('expiryMonths', { valueAsNumber: true })}
      />
    </DialogForm>
  )
}
