import type { ReactNode } from 'react'
import type { ClassForAdmin } from '#booking/contract-classes.ts'
import { weekdayOf } from '#foundation/dates.ts'
import { many } from '#foundation/many.ts'
import { RadioCards } from '#ui/choices.tsx'

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
      onChange={(event) => onChange(event.target.value === 'all' ? 'all' : 'one')}
    />
  )
}

/** What the studio's cancelling does: `3 bookings are cancelled and 3 credits returned. 3 members are emailed.` */
export function Consequences({ found, scope }: { found: ClassForAdmin; scope: Scope }) {
  const { bookings, credits, members, waiting } = found.touches[scope]
  return (
    <Note warns={credits > 0}>
      {credits > 0
        ? `${many(bookings, 'booking is', 'bookings are')} cancelled and ${many(credits, 'credit')} returned.`
        : 'Nobody has booked.'}{' '}
      {emailedOf(members, waiting)}
    </Note>
  )
}

function emailedOf(members: number, waiting: number): string {
  const people = [members > 0 && many(members, 'member'), waiting > 0 && `${waiting} on the waiting list`]
  const named = people.filter(Boolean).join(' and ') || 'Nobody'
  return `${named} ${members + waiting > 1 ? 'are' : 'is'} emailed.`
}

/**
 * What the studio's moving does: how many people are told, said before.
 *
 * @param props.date the new date of the class that is edited, where it has another
 */
export function MoveConsequences({
  found,
  scope,
  date,
}: {
  found: ClassForAdmin
  scope: Scope
  date: string | undefined
}) {
  const { classes, bookings, waiting, people } = found.touches[scope]
  const days = date
    ? Temporal.PlainDate.from(found.class.date).until(Temporal.PlainDate.from(date), { largestUnit: 'days' }).days
    : 0
  const told = [bookings > 0 && many(bookings, 'booking'), waiting > 0 && `${waiting} on the waiting list`]
  return (
    <Note warns={people > 0}>
      {classes > 1 &&
        days !== 0 &&
        `All ${classes} classes move by ${many(Math.abs(days), 'day')}, ${days > 0 ? 'later' : 'earlier'}. `}
      {people > 0
        ? `${peopleOf(people)} will be told of the new time: ${told.filter(Boolean).join(', ')}. Anyone who has booked can cancel until the class starts and have the credit back.`
        : 'Nobody has booked or is waiting, so nobody is told.'}
    </Note>
  )
}

/** `1 person`, `3 people`. */
export const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count} people`)

function Note({ warns, children }: { warns: boolean; children: ReactNode }) {
  return (
    <p
      role="status"
      className={`rounded-row p-4 text-[0.9375rem]/[1.45] ${warns ? 'bg-warn-tint text-warn' : 'bg-linen text-ink-soft'}`}
    >
      {children}
    </p>
  )
}
