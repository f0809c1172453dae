import { errorMessage } from '#foundation/call.ts'
import { TextField } from '#ui/field.tsx'
import type { CompanionForm } from '../../contract.ts'
import { bookingApi } from '../api.ts'

/** Name and email of a companion, and what inviting them means. */
export default function CompanionFields({
  value,
  onChange,
  error,
}: {
  value: CompanionForm
  onChange: (value: CompanionForm) => void
  /** Of the last attempt. An error about the address is shown next to it. */
  error: Error | null
}) {
  const field = (name: keyof CompanionForm) => ({
    value: value[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...value, [name]: event.target.value }),
    autoComplete: 'off',
  })
  const isAddress = error && bookingApi.bookClass.isRefusal(error, 'companion_is_self', 'invitation_not_possible')
  return (
    <div className="mt-3 grid gap-4 rounded-row bg-linen px-4 py-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Their first name" data-autofocus {...field('firstName')} />
        <TextField label="Their last name" {...field('lastName')} />
      </div>
      <TextField
        label="Their email address"
        type="email"
        error={isAddress ? errorMessage(error, '') : undefined}
        {...field('email')}
      />
      <p className="text-small text-ink-soft">
        The second place costs one more credit. We’ll email them an invitation and hold the place for up to 48 hours. If
        they do not accept in time, you get that credit back.
      </p>
    </div>
  )
}
