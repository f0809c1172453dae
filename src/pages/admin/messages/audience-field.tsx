import { today } from '#foundation/instants.ts'
import type { Audience } from '#mailings/contract.ts'
import { LIST_NAMES } from '#mailings/rules.ts'
import { usePreview } from '#mailings/web/messages.ts'
import { SelectField } from '#ui/choices.tsx'
import { DateField } from '#ui/date-field.tsx'
import { present } from '#ui/use-now.ts'
import { NO_CLASSES, useClassesAhead, wordsOf } from '../bookings/class-choice.ts'

type Choice = 'class' | 'days' | 'people' | 'list' | 'members' | 'newsletter'
const CHOICES = [
  ['class', 'Everybody in a class'],
  ['days', 'Everybody booked on certain days'],
  ['members', 'All members'],
  ['newsletter', "The newsletter's list"],
] as const

/** How far back the first day can be: somebody may have left a scarf. Our choice. */
const DAYS_BACK = 60

const choiceOf = (audience: Audience): Choice => {
  if (typeof audience === 'string') return audience
  if ('classId' in audience) return 'class'
  if ('list' in audience) return 'list'
  return 'userIds' in audience ? 'people' : 'days'
}

/** The audience of a message: its kind, then which class or which days. */
export function AudienceField({
  audience,
  onChange,
  error,
}: {
  audience: Audience | undefined
  onChange: (next: Audience | undefined) => void
  error: string | undefined
}) {
  const day = today(present())
  const choice = audience && choiceOf(audience)
  const choose = (next: string) => {
    if (next === 'members' || next === 'newsletter') onChange(next)
    else if (next === 'days') onChange({ from: day, to: day })
    // The class is chosen below; no class has the id 0.
    else onChange(next === 'class' ? { classId: 0 } : undefined)
  }
  // Audiences that only other screens link to.
  const led = [
    ...(choice === 'people' ? ([['people', 'People by name']] as const) : []),
    ...(typeof audience === 'object' && 'list' in audience ? ([['list', LIST_NAMES[audience.list]]] as const) : []),
  ]
  return (
    <>
      <SelectField
        label="To"
        choose="Choose who it is for"
        options={[...CHOICES, ...led]}
        value={choice ?? ''}
        onChange={({ target }) => choose(target.value)}
        error={choice === 'class' ? undefined : error}
      />
      {audience && typeof audience === 'object' && 'classId' in audience && (
        <ClassField id={audience.classId} onChange={(classId) => onChange({ classId })} error={error} />
      )}
      {audience && typeof audience === 'object' && 'from' in audience && (
        <Days days={audience} day={day} onChange={onChange} />
      )}
    </>
  )
}

/** The classes of the coming weeks, and the preselected one whenever it is. */
function ClassField({
  id,
  onChange,
  error,
}: {
  id: number
  onChange: (id: number) => void
  error: string | undefined
}) {
  const classes = useClassesAhead().data ?? []
  const isListed = classes.some((one) => one.id === id)
  const other = usePreview(id > 0 && !isListed ? { audience: { classId: id } } : undefined).data
  return (
    <SelectField
      label="Class"
      choose={classes.length > 0 ? 'Choose a class' : NO_CLASSES}
      options={[
        ...(other && !isListed ? [[id, other.audience] as const] : []),
        ...classes.map((one) => [one.id, wordsOf(one)] as const),
      ]}
      value={isListed || other ? id : ''}
      onChange={({ target }) => onChange(Number(target.value))}
      error={error}
    />
  )
}

function Days({
  days: { from, to },
  day,
  onChange,
}: {
  days: { from: string; to: string }
  day: string
  onChange: (next: Audience) => void
}) {
  const before = (date: string, days: number) => Temporal.PlainDate.from(date).subtract({ days }).toString()
  return (
    <div className="grid gap-5">
      <DateField
        label="First day"
        value={from}
        onChange={(date) => onChange({ from: date, to: date > to ? date : to })}
        today={day}
        after={before(day, DAYS_BACK)}
      />
      <DateField
        label="Last day"
        value={to}
        onChange={(date) => onChange({ from, to: date })}
        today={day}
        after={before(from, 1)}
      />
    </div>
  )
}
