import { CompanionForm } from '#booking/contract.ts'
import { bookingApi } from '#booking/web/api.ts'
import { TextField } from '#ui/form-fields.tsx'
import { ChangeDialog } from '../dialog-form.tsx'

/** Holds the second place of a member's booking for a companion, until the class ends. */
export default function AddCompanionDialog({
  booking,
  onClose,
}: {
  booking: { id: number; firstName: string }
  onClose: () => void
}) {
  return (
    <ChangeDialog
      title="Add companion"
      description={`Uses one more of ${booking.firstName}’s credits. We’ll email the companion an invitation and hold the place until they accept; you can also confirm it yourself.`}
      schema={CompanionForm}
      values={{ firstName: '', lastName: '', email: '' }}
      mutationFn={(companion) =>
        bookingApi.addCompanion.call({ params: { id: booking.id }, body: { ...companion, override: true } })
      }
      toasts={{ success: (_, { firstName }) => `Place held for ${firstName}`, failure: 'Failed to add the companion' }}
      submit="Add companion"
      onClose={onClose}
    >
      <TextField name="firstName" label="First name" autoComplete="off" />
      <TextField name="lastName" label="Last name" autoComplete="off" />
      <TextField name="email" label="Email" type="email" autoComplete="off" />
    </ChangeDialog>
  )
}
