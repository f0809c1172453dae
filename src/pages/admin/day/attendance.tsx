import check from '@lucide/icons/icons/check'
import x from '@lucide/icons/icons/x'
import type { Booking } from '#booking/contract.ts'
import { Icon } from '#ui/icon.tsx'
import { useMarkAttendance } from '../bookings/booking-changes.ts'

const ANSWERS = [
  { status: 'completed', word: 'Came', icon: check },
  { status: 'no_show', word: 'No show', icon: x },
] as const

/** Did they come? Two answers, either of which corrects the other. */
export function Attendance({ id, name, status }: { id: number; name: string; status: Booking['status'] }) {
  const mark = useMarkAttendance()
  return (
    <fieldset className="inline-flex rounded-full border border-line-strong" aria-busy={mark.isPending || undefined}>
      <legend className="sr-only">Attendance of {name}</legend>
      {ANSWERS.map(({ status: answer, word, icon }) => (
        <button
          key={answer}
          type="button"
          aria-pressed={status === answer}
          onClick={() => status !== answer && mark.mutate({ id, status: answer })}
          className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-4 text-[0.9375rem] font-medium whitespace-nowrap text-ink-soft hover:bg-sand focus-visible:rounded-full aria-pressed:bg-sage-dark aria-pressed:text-paper lg:min-h-9 lg:px-3 lg:text-[0.875rem]"
        >
          <Icon of={icon} aria-hidden size={16} strokeWidth={1.75} /> {word}
        </button>
      ))}
    </fieldset>
  )
}
