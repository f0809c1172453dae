import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type Booking, ReturnCreditForm } from '#booking/contract.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { TextArea } from '#ui/form-fields.tsx'
import { FormDialog } from '../dialog-form.tsx'
import { useReturnCredit } from './booking-changes.ts'

/** Whether a credit can be given back: it was forfeited, and has not come back since. */
export const isForfeited = ({ paymentStatus }: Pick<Booking, 'paymentStatus'>) => paymentStatus === 'forfeited'

/** Gives a forfeited credit back, saying why. */
export function ReturnCreditDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const { user, class: studioClass } = booking
  const form = useForm({ resolver: zodResolver(ReturnCreditForm), defaultValues: { reason: '' } })
  const give = useReturnCredit({ id: booking.id, onDone: onClose })
  return (
    <FormDialog
      title="Give the credit back?"
      description={`${studioClass.title}, ${formatLongDate(studioClass.date)} at ${studioClass.startTime}. The credit goes back to the pass that paid, which is then valid for at least ${studio.policies.goodwillDays} days. ${user.firstName} is told by email.`}
      form={form}
      mutation={give}
      submit="Give credit back"
      onClose={onClose}
    >
      <TextArea
        name="reason"
        label="Why"
        rows={2}
        help={`${user.firstName} reads this. Please write nothing about health.`}
      />
    </FormDialog>
  )
}
