import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { bookingApi } from '#booking/web/api.ts'
import { insightsApi } from '#insights/web/api.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SelectField, Tick } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { CHANGED } from '../bookings/booking-changes.ts'
import { hasBegun, isOver, NO_CLASSES, useClassesAhead, wordsOf } from '../bookings/class-choice.ts'
import { DialogForm } from '../dialog-form.tsx'
import { aboutSale, RECORD_SALE, RecordSale } from './record-sale-dialog.tsx'
import type { NamedUser } from './user-dialogs.tsx'

/**
 * Books a class for a member with their pass and under the same rules; shows why if it is refused. A class that has started,
 * or a missing health form, needs a tick. Without a usable pass, a sale can be recorded in between.
 *
 * @param classId the preselected class
 * @param lacksHealth the health form is known to be missing, so that the tick is shown at once
 */
export function BookForDialog({
  user,
  classId,
  lacksHealth = false,
  onClose,
}: {
  user: NamedUser
  classId?: number | undefined
  lacksHealth?: boolean
  onClose: () => void
}) {
  const [selling, setSelling] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      title={selling ? RECORD_SALE : `Book for ${user.firstName}`}
      description={selling ? aboutSale(user) : 'This uses one credit of their pass. They are told by email.'}
    >
      <QueryView query={useClassesAhead()} failed="The classes could not be loaded.">
        {(classes) => (
          <Form
            user={user}
            classId={classId}
            classes={classes.filter((c) => !isOver(c))}
            selling={selling}
            onSell={setSelling}
            isKnownToLack={lacksHealth}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

type Typed = { classId: string; override?: boolean }

function Form({
  user,
  classId,
  classes,
  selling,
  onSell,
  isKnownToLack,
  onClose,
}: {
  user: NamedUser
  classId: number | undefined
  classes: StudioClass[]
  /** Whether a sale is being recorded; the booking waits. */
  selling: boolean
  onSell: (selling: boolean) => void
  isKnownToLack: boolean
  onClose: () => void
}) {
  const form = useForm<Typed>({ defaultValues: { classId: classId ? String(classId) : '' }, shouldUnregister: true })
  const [lacks, setLacks] = useState<'health' | 'pass'>()
  const book = useAdminMutation({
    mutationFn: ({ classId: chosen, override }: Typed) =>
      bookingApi.bookClass.call({
        body: {
          classId: Number(chosen),
          userId: user.id,
          participantCount: 1,
          usePass: true,
          override: asks !== undefined && override,
        },
      }),
    lookAgain: async ({ classId: chosen }) =>
      (await insightsApi.getMemberPage.call({ params: { id: user.id } })).bookings.find(
        (booking) => booking.classId === Number(chosen) && booking.status === 'confirmed',
      ),
    says: { success: `Booked for ${user.firstName} ${user.lastName}`, failure: 'Failed to book' },
    stale: CHANGED,
    onSuccess: onClose,
    onRefused: (error) => setLacks(lackOf(error)),
  })
  const chosen = classes.find(({ id }) => String(id) === form.watch('classId'))
  const asks = chosen && hasBegun(chosen) ? 'begun' : isKnownToLack || lacks === 'health' ? 'health' : undefined
  const goOn = () => {
    onSell(false)
    void form.handleSubmit((sent) => book.mutate(sent))()
  }
  return (
    <>
      <div hidden={selling}>
        <DialogForm
          form={form}
          mutation={book}
          submit="Book class"
          aside={
            lacks === 'pass' && (
              <Button variant="secondary" onClick={() => onSell(true)}>
                {RECORD_SALE}
              </Button>
            )
          }
          onClose={onClose}
        >
          <SelectField
            name="classId"
            rules={{ required: 'Please choose a class' }}
            label="Class"
            choose={classes.length > 0 ? 'Choose a class' : NO_CLASSES}
            options={classes.map((c) => [c.id, wordsOf(c)])}
          />
          {asks && (
            <Tick
              name="override"
              rules={{ required: 'Please tick this to continue' }}
              label={ASKED[asks].label}
              help={ASKED[asks].help}
            />
          )}
        </DialogForm>
      </div>
      {selling && <RecordSale user={user} back="Back" onDone={goOn} onClose={() => onSell(false)} />}
    </>
  )
}

function lackOf(error: Error) {
  const { isRefusal } = bookingApi.bookClass
  if (isRefusal(error, 'health_information_missing')) return 'health'
  // A pass bought now would pay.
  return isRefusal(error, 'no_class_pass', 'no_credits', 'pass_on_hold', 'pass_expires_before_class')
    ? 'pass'
    : undefined
}

/** Exceptions to the rules are confirmed first and recorded. */
const ASKED = {
  begun: { label: 'The class has begun, and they are here', help: undefined },
  health: {
    label: 'Book anyway',
    help: 'Their health information is missing. Today’s list says so until it is there: ask before they begin.',
  },
} as const
