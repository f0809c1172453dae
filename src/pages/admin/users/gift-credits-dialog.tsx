import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { memberQueries } from '#insights/web/api.ts'
import { promptQueries } from '#mailings/web/messages.ts'
import { packagesApi } from '#packages/web/packages.ts'
import { GiftForm } from '#passes/contract.ts'
import { passesApi, passQueries } from '#passes/web/passes.ts'
import { studio } from '#studio.ts'
import { Dialog } from '#ui/dialog.tsx'
import { NumberField, SelectField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm } from '../dialog-form.tsx'
import type { NamedUser } from './user-dialogs.tsx'

/** The validity choices (specification, section 9). */
const MONTHS = [3, 6, 12, 24] as const

/**
 * Gives a member a pass with credits, without payment.
 *
 * @param onGiven called after the gift; by default the dialog closes
 * @param suggests preselects the smallest package that can be bought more than once
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
  const gift = useAdminMutation({
    mutationFn: ({ packageId, ...sent }: GiftForm, key) =>
      passesApi.giftCredits.call(
        // The specification sends the user twice, in the path and in the body.
        { params: { userId: user.id }, body: { packageId: Number(packageId), ...sent, ...{ userId: user.id } }, key },
      ),
    isRepeatable: true,
    says: { success: 'Credits gifted successfully', failure: 'Failed to gift credits' },
    stale: [...memberQueries, ...passQueries, ...promptQueries],
    onSuccess: onGiven,
  })
  return (
    <DialogForm form={form} mutation={gift} submit="Gift Credits" onClose={onClose}>
      <SelectField name="packageId" label="Package" choose="Choose a package" options={packages} />
      <NumberField
        name="creditsToGift"
        label="Credits"
        help={studio.session.credit}
        min={1}
        max={50}
        // Invalid input counts as 1 (specification, section 9).
        rules={{
          onBlur: ({ target }) => {
            if (!(Number.isInteger(target.valueAsNumber) && target.valueAsNumber >= 1))
              form.setValue('creditsToGift', 1, { shouldValidate: true })
          },
        }}
      />
      <SelectField
        name="expiryMonths"
        rules={{ valueAsNumber: true }}
        label="Valid for"
        options={MONTHS.map((months) => [months, `${months} months`])}
      />
    </DialogForm>
  )
}
