import type { ClassForAdmin } from '../../../booking/contract.ts'
import { weekdayOf } from '../../../foundation/london.ts'
import { RadioCards } from '../../../ui/choices.tsx'

export type Scope = 'one' | 'all'

/** This class only, or all that share weekday and times; asked only where there are others. */
export function ScopeChoice({
  found,
  scope,
  onChange,
}: {
  found: ClassForAdmin
  scope: Scope
  onChange: (scope: Scope) => void
}) {
  const { touches, class: c } = found
  if (touches.all.classes < 2) return null
  return (
    <RadioCards
      label="Which classes?"
      name="scope"
      options={[
        ['one', 'This class only'],
        ['all', `All ${touches.all.classes} classes on ${weekdayOf(c.date)} at ${c.startTime}`],
      ]}
      checkedValue={scope}
      onChange={(event) => onChange(event.target.value as Scope)}
    />
  )
}

const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** What the studio's cancelling does: `3 bookings, 3 credits returned, 3 members mailed`. */
export function Consequences({ found, scope }: { found: ClassForAdmin; scope: Scope }) {
  const { bookings, credits, members } = found.touches[scope]
  return (
    <p
      role="status"
      className={`rounded-row p-4 text-[0.9375rem]/[1.45] ${bookings ? 'bg-warn-tint text-warn' : 'bg-linen text-ink-soft'}`}
    >
      {bookings
        ? `The studio cancels: ${many(bookings, 'booking')}, ${many(credits, 'credit')} returned, ${many(members, 'member')} mailed.`
        : 'Nobody has booked, so nobody is mailed.'}
    </p>
  )
}
