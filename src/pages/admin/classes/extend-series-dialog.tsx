import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { ClassForAdmin } from '#booking/contract-classes.ts'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import { bookingApi } from '#booking/web/api.ts'
import { formatDate, weekdayOf } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import { many } from '#foundation/many.ts'
import { Dialog } from '#ui/dialog.tsx'
import { DateField } from '#ui/form-date-field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { present } from '#ui/use-now.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { DialogForm } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'

/** Lets a repeating class go on until a later day. */
export function ExtendSeriesDialog({ id, onClose }: { id: number; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Extend series"
      description="New classes like this one, on the dates of the series. Closed days are left out."
    >
      <QueryView query={useQuery(classForAdmin(id))} failed="The class could not be loaded.">
        {(found) => <Form found={found} onClose={onClose} />}
      </QueryView>
    </Dialog>
  )
}

function Form({ found: { class: named, seriesStart }, onClose }: { found: ClassForAdmin; onClose: () => void }) {
  const ends = named.repeatUntilDate ?? named.date
  const first = seriesStart ?? named.date
  const form = useForm<{ until: string }>({ defaultValues: { until: '' } })
  const ask = useAskFirst(form.watch(), ['ifNoOverlap'])
  const send = ({ until }: { until: string }) =>
    bookingApi.extendSeries.call({ params: { id: named.id }, body: { until, ifNoOverlap: ask.answers.ifNoOverlap } })
  const extend = useAdminMutation({
    mutationFn: send,
    // Done twice it does nothing more.
    lookAgain: send,
    says: {
      success: ({ classes, until }) => `${many(classes, 'class', 'classes')} added, until ${formatDate(until)}`,
      failure: 'Failed to extend the series',
    },
    stale: CHANGED,
    onSuccess: onClose,
    asks: ask.take,
  })
  return (
    <DialogForm
      form={form}
      mutation={extend}
      submit={ask.words.length > 0 ? 'Extend anyway' : 'Extend'}
      onClose={onClose}
    >
      <p className="text-[0.9375rem] text-ink-soft">
        {named.title} at {named.startTime}, {named.repeatFrequency} from {weekdayOf(first)} {formatDate(first)}, ends on{' '}
        {formatDate(ends)}.
      </p>
      <DateField
        name="until"
        label="Repeat until"
        today={today(present())}
        after={ends}
        rules={{
          required: 'Please enter a date',
          validate: (chosen) => chosen > ends || `Please choose a day after ${formatDate(ends)}`,
        }}
      />
      <Asked words={ask.words} />
    </DialogForm>
  )
}
