import check from '@lucide/icons/icons/check'
import x from '@lucide/icons/icons/x'
import { fullName } from '#accounts/rules.ts'
import type { Booking, BookingStatus } from '#booking/contract.ts'
import { staffBookingApi } from '#booking/web/staff-api.ts'
import { Icon } from '#ui/icon.tsx'
import { useAdminMutation } from '../admin-mutation.ts'

const ANSWERS = [
  { status: 'completed', word: 'Came', icon: check },
  { status: 'no_show', word: 'No show', icon: x },
] as const
export type Answer = (typeof ANSWERS)[number]['status']

/** Two buttons; either corrects the other. */
export function AttendanceButtons({
  name,
  status,
  busy,
  onMark,
}: {
  name: string
  status: (typeof BookingStatus)['options'][number]
  busy: boolean
  onMark: (answer: Answer) => void
}) {
  return (
    <fieldset className="inline-flex rounded-full border border-line-strong" aria-busy={busy || undefined}>
      <legend className="sr-only">Attendance of {name}</legend>
      {ANSWERS.map(({ status: answer, word, icon }) => (
        <button
          key={answer}
          type="button"
          aria-pressed={status === answer}
          onClick={() => status !== answer && onMark(answer)}
          className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-4 text-small font-medium whitespace-nowrap text-ink-soft hover:bg-sand focus-visible:rounded-full aria-pressed:bg-sage-dark aria-pressed:text-paper lg:min-h-9 lg:px-3 lg:text-caption"
        >
          <Icon of={icon} size={16} strokeWidth={1.75} /> {word}
        </button>
      ))}
    </fieldset>
  )
}

type AttendanceProps = {
  id: number
  name: string
  status: Booking['status']
  onMarked?: (changed: Booking) => void
}

/** Marks attendance; either answer corrects the other. */
export function Attendance({ id, name, status, onMarked }: AttendanceProps) {
  const mark = useAdminMutation({
    mutationFn: (answer: Answer) => staffBookingApi.markAttendance.call({ params: { id }, body: { status: answer } }),
    toasts: {
      success: ({ user, status: now }) => `${fullName(user)} marked as ${now === 'no_show' ? 'a no-show' : 'attended'}`,
      failure: 'Failed to mark attendance',
    },
    onSuccess: (changed) => onMarked?.(changed),
  })
  return (
    <AttendanceButtons name={name} status={status} busy={mark.isPending} onMark={(answer) => mark.mutate(answer)} />
  )
}
