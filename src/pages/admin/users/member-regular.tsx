import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { fullName } from '#accounts/rules.ts'
import { type Booking, CompanionForm } from '#booking/contract.ts'
import type { RegularBooking } from '#booking/contract-regular.ts'
import { reachOf, slotForTwo, slotName, slotOfClass } from '#booking/web/regular/regular.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { RadioCards } from '#ui/choices.tsx'
import { Tick } from '#ui/form-choices.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ClassField, isPast } from '../bookings/class-choice.tsx'
import { ConfirmChange, FormDialog } from '../dialog-form.tsx'
import { notificationText } from '../messages/notification-text.ts'
import type { UserName } from './member-details.tsx'

type RegularProps = {
  user: UserName
  bookings: readonly Booking[]
  /** Disables a button while the member is blocked. */
  ifBlocked: ComponentProps<'button'>
}

/** A member's regular bookings: how far each reaches, setting one up, and ending one. */
export function MemberRegular({ user, bookings, ifBlocked }: RegularProps) {
  const query = useQuery(staffBookingApi.listRegularBookingsOf.queryOptions({ params: { id: user.id } }))
  const { dialog, open } = useDialog()
  return (
    <>
      <QueryView query={query} failed="The regular bookings could not be loaded.">
        {(regulars) =>
          regulars.length === 0 ? (
            <p className="text-ink-mute">No regular bookings</p>
          ) : (
            <ul className="border-t border-line">
              {regulars.map((regular) => {
                const unpaid = regular.dates.find(({ code }) => code === 'no_credit')
                return (
                  <li key={regular.id} className="flex items-start justify-between gap-4 border-b border-line py-3">
                    <div>
                      <p className="font-medium wrap-anywhere">{slotForTwo(regular)}</p>
                      <p className="text-small text-ink-soft">{reachOf(regular)}</p>
                      {regular.bookedBy && (
                        <p className="text-small text-ink-soft">{regular.bookedBy.firstName} pays</p>
                      )}
                      {unpaid && <p className="text-small text-clay">No credit from {formatDay(unpaid.date)}</p>}
                    </div>
                    {!regular.bookedBy && (
                      <RowButton
                        label="End"
                        name={`End ${slotName(regular)}`}
                        variant="quiet"
                        onClick={() => open(EndRegularDialog, { regular, user })}
                      />
                    )}
                  </li>
                )
              })}
            </ul>
          )
        }
      </QueryView>
      <RowButton
        label="Set up a regular booking"
        variant="quiet"
        className="mt-2 -ml-5"
        {...ifBlocked}
        onClick={() => open(SetRegularDialog, { user, bookings, regulars: query.data ?? [] })}
      />
      {dialog}
    </>
  )
}

const RegularForm = z.object({
  classId: z.string().min(1, 'Please choose a class'),
  isForTwo: z.boolean(),
  companion: CompanionForm.nullable(),
})
type RegularForm = z.output<typeof RegularForm>

type SetProps = Pick<RegularProps, 'user' | 'bookings'> & { regulars: RegularBooking[]; onClose: () => void }

/** Offers no classes of slots that the member already has. */
function SetRegularDialog({ user, bookings, regulars, onClose }: SetProps) {
  const held = regulars.filter(({ bookedBy }) => !bookedBy).map(slotName)
  const companionIn = (classId: string) =>
    bookings.find((one) => one.classId === Number(classId) && one.status === 'confirmed')?.companion
  const form = useForm<RegularForm>({
    resolver: (values, ...more) => {
      const isInvited = values.isForTwo && !companionIn(values.classId)
      return zodResolver(RegularForm)({ ...values, companion: isInvited ? values.companion : null }, ...more)
    },
    defaultValues: { classId: '', isForTwo: false, companion: { firstName: '', lastName: '', email: '' } },
  })
  const [classId, isForTwo] = form.watch(['classId', 'isForTwo'])
  const known = companionIn(classId)
  const isInviting = isForTwo && !known
  const mutation = useAdminMutation({
    mutationFn: ({ classId, isForTwo: withCompanion, companion }: RegularForm) =>
      staffBookingApi.setRegularBookingFor.call({
        params: { id: user.id },
        body: { classId: Number(classId), withCompanion, companion },
      }),
    toasts: {
      success: ({ booked: made }) => `${many(made.length, 'class', 'classes')} booked for ${fullName(user)}`,
      failure: 'Failed to set up the regular booking',
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={`Regular booking for ${user.firstName}`}
      description={`We book the class and every later one on its weekday at its time, up to ${studio.policies.regularBookings.weeks} weeks ahead, as far as they have credits. ${notificationText(user)}`}
      form={form}
      mutation={mutation}
      submit="Book every week"
      onClose={onClose}
    >
      <ClassField label="First class" isOffered={(c) => !isPast(c.startsAt) && !held.includes(slotOfClass(c))} />
      <Tick
        name="isForTwo"
        label={known ? `${known.firstName} comes too` : 'A companion comes too'}
        help={
          isForTwo &&
          `One more of ${user.firstName}’s credits for each class with a second place.${isInviting ? ' We’ll email the companion an invitation to the first class. Once they accept, we book the later ones for them too.' : ''}`
        }
      />
      {isInviting && (
        <>
          <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
            <TextField name="companion.firstName" label="Their first name" autoComplete="off" />
            <TextField name="companion.lastName" label="Their last name" autoComplete="off" />
          </div>
          <TextField name="companion.email" label="Their email" type="email" autoComplete="off" />
        </>
      )}
    </FormDialog>
  )
}

/** Asks whether the bookings stay, then ends a member's regular booking. */
export function EndRegularDialog({
  regular,
  user,
  onClose,
}: {
  regular: { id: number; day: string; startTime: string }
  user: UserName
  onClose: () => void
}) {
  const [cancelBookings, setCancelBookings] = useState<'true' | 'false'>('false')
  return (
    <ConfirmChange
      title="End this regular booking?"
      text={`Every ${regular.day} at ${regular.startTime}, ${fullName(user)}. No later classes will be booked. ${notificationText(user)}`}
      keep="Keep it"
      confirm="End"
      mutationFn={() =>
        staffBookingApi.endRegularBookingFor.call({ params: { id: regular.id }, query: { cancelBookings } })
      }
      toasts={{
        success: ({ cancelledBookingIds: { length } }) =>
          length > 0 ? `Ended, and ${many(length, 'booking')} cancelled` : 'Ended',
        failure: 'Failed to end the regular booking',
      }}
      onClose={onClose}
    >
      <div className="mt-6">
        <RadioCards
          name="cancelBookings"
          label="Classes that are booked already"
          checkedValue={cancelBookings}
          onChange={({ target }) => setCancelBookings(target.value === 'true' ? 'true' : 'false')}
          options={[
            ['false', 'Keep them'],
            ['true', 'Cancel them'],
          ]}
        />
      </div>
    </ConfirmChange>
  )
}
