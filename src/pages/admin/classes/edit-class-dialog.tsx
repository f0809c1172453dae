import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ClassForAdmin, EditClassForm } from '#booking/contract-classes.ts'
import { classForAdmin } from '#booking/web/admin-bookings.ts'
import { bookingApi } from '#booking/web/api.ts'
import { bookingQueries, classQueries } from '#booking/web/change-bookings.ts'
import { formatDate } from '#foundation/dates.ts'
import { memberQueries } from '#insights/web/api.ts'
import { History } from '#insights/web/history.tsx'
import { passQueries } from '#passes/web/passes.ts'
import type { StudioClass } from '#timetable/contract.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { showRefusedFields } from '#ui/refused-fields.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { DialogForm, useFreshVersion } from '../dialog-form.tsx'
import { Asked, useAskFirst } from './ask-first.tsx'
import { changesOf, isMove } from './class-changes.ts'
import { ClassFields } from './class-fields.tsx'
import { Consequences, MoveConsequences, peopleOf, type Scope, ScopeChoice } from './scope.tsx'
import { WhoComes } from './who-comes.tsx'

const valuesOf = (c: StudioClass): EditClassForm => ({
  title: c.title,
  description: c.description ?? '',
  date: c.date,
  startTime: c.startTime,
  endTime: c.endTime,
  maxParticipants: c.maxParticipants,
  isActive: c.isActive,
})
const FIELDS = ['title', 'description', 'date', 'startTime', 'endTime', 'maxParticipants', 'isActive'] as const

/** Edits a class, or all alike; the switch `Active` takes it off the timetable. */
export function EditClassDialog({ id, ...ways }: Ways & { id: number }) {
  const found = useQuery(classForAdmin(id))
  return (
    <Dialog open onClose={ways.onClose} title="Edit Class">
      <QueryView query={found} failed="The class could not be loaded.">
        {(shown) => <Form found={shown} {...ways} />}
      </QueryView>
      <History subject={`class:${id}`} />
    </Dialog>
  )
}

type Ways = { onClose: () => void; onDelete?: (() => void) | undefined; onExtend?: (() => void) | undefined }

function Form({ found, onClose, onDelete, onExtend }: Ways & { found: ClassForAdmin }) {
  const { id } = found.class
  const queries = useQueryClient()
  const [scope, setScope] = useState<Scope>('one')
  const form = useForm<EditClassForm>({
    resolver: zodResolver(EditClassForm),
    defaultValues: valuesOf(found.class),
  })
  const { base, take } = useFreshVersion(found.class, form, valuesOf)
  const values = form.watch()
  const ask = useAskFirst([values, scope])
  const edit = useAdminMutation({
    mutationFn: (sent: EditClassForm) => {
      const changes = changesOf(sent, valuesOf(base))
      const answers = isMove(changes) || changes.isActive ? ask.answers : {}
      const body = { ...changes, ...answers, applyToRecurring: scope === 'all', ifUpdatedAt: base.updatedAt }
      return bookingApi.editClass.call({ params: { id }, body })
    },
    says: { success: 'Class updated successfully', failure: 'Failed to update class', fixed: true },
    stale: [...classQueries, ...bookingQueries, ...passQueries, ...memberQueries],
    onSuccess: onClose,
    onRefused: (error) => showRefusedFields(error, form.setError, FIELDS),
    asks: ask.take,
  })
  const { mostBooked, bookings, people } = found.touches[scope]
  const changes = changesOf(values, valuesOf(base))
  const cancels = base.isActive && !values.isActive
  const moves = !cancels && isMove(changes)
  return (
    <>
      <WhoComes found={found} />
      {onExtend && found.class.repeatUntilDate && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 text-[0.9375rem] text-ink-soft">
          Repeats {found.class.repeatFrequency} until {formatDate(found.class.repeatUntilDate)}.
          <Button variant="quiet" small className="px-0" onClick={onExtend}>
            Extend series
          </Button>
        </p>
      )}
      <DialogForm
        form={form}
        mutation={edit}
        submit={
          ask.words.length > 0
            ? 'Save anyway'
            : cancels && bookings > 0
              ? 'Save and cancel bookings'
              : moves && people > 0
                ? `Save and tell ${peopleOf(people)}`
                : 'Save'
        }
        aside={
          onDelete && (
            <Button variant="quiet" className="sm:mr-auto" onClick={onDelete}>
              Delete
            </Button>
          )
        }
        onLoad={async () => take((await queries.fetchQuery({ ...classForAdmin(id), staleTime: 0 })).class)}
        onClose={onClose}
      >
        <ClassFields
          places={
            values.isActive && values.maxParticipants < mostBooked
              ? `${mostBooked} places are booked: a class cannot have fewer.`
              : undefined
          }
        />
        <Tick
          label="Active: members see the class and can book it"
          error={form.formState.errors.isActive?.message}
          {...form.register('isActive')}
        />
        <ScopeChoice found={found} scope={scope} onChange={setScope} />
        {cancels && <Consequences found={found} scope={scope} />}
        {changes.isActive && (
          <p role="status" className="rounded-row bg-linen p-4 text-[0.9375rem]/[1.45] text-ink-soft">
            {scope === 'all' && `All ${found.touches.all.classes} classes become active. `}
            Bookings and the waiting list do not come back: the class starts empty, and nobody is told.
          </p>
        )}
        {moves && <MoveConsequences found={found} scope={scope} date={changes.date} />}
        <Asked words={ask.words} />
      </DialogForm>
    </>
  )
}
