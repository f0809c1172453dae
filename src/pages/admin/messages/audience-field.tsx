import type { Ref } from 'react'
import { useController } from 'react-hook-form'
import { addDays } from '#foundation/dates.ts'
import { today } from '#foundation/instants.ts'
import type { Audience } from '#mailings/contract.ts'
import { LIST_NAMES } from '#mailings/rules.ts'
import { usePreview } from '#mailings/web/messages.ts'
import { SelectField } from '#ui/choices.tsx'
import { DateField } from '#ui/date-field.tsx'
import { present } from '#ui/use-now.ts'
import { chooseClass, useClassesAhead, wordsOf } from '../bookings/class-choice.tsx'

const CHOICES = [
  ['class', 'Everyone in a class'],
  ['days', 'Everyone booked on certain days'],
  ['members', 'All members'],
  ['newsletter', 'Newsletter: sign-ups and members who agreed'],
] as const

/** How far back the first day can be: a member may have left a scarf. */
const DAYS_BACK = 60

function choiceOf(audience: Audience) {
  if (typeof audience === 'string') return audience
  if ('classId' in audience) return 'class'
  if ('list' in audience) return 'list'
  return 'userIds' in audience ? 'people' : 'days'
}

/** Audiences that only other screens link to. */
function linkedChoice(audience: Audience | undefined) {
  if (typeof audience !== 'object') return []
  if ('list' in audience) return [['list', LIST_NAMES[audience.list]] as const]
  return 'userIds' in audience ? [['people', 'People by name'] as const] : []
}

type FieldProps = {
  audience: Audience | undefined
  onChange: (next: Audience | undefined) => void
}

/** For a form with a field `audience`. Has its own messages: the resolver's are about the union's first member. */
export function AudienceField({ audience, onChange }: FieldProps) {
  const { field, fieldState } = useController<{ audience?: Audience }>({ name: 'audience' })
  const day = today(present())
  const choice = audience && choiceOf(audience)
  const choose = (next: string) => {
    if (next === 'members' || next === 'newsletter') onChange(next)
    else if (next === 'days') onChange({ from: day, to: day })
    // The class is chosen below; no class has the id 0.
    else onChange(next === 'class' ? { classId: 0 } : undefined)
  }
  return (
    <>
      <SelectField
        label="To"
        choose="Choose recipients"
        options={[...CHOICES, ...linkedChoice(audience)]}
        value={choice ?? ''}
        onChange={({ target }) => choose(target.value)}
        error={fieldState.invalid && choice !== 'class' ? 'Please choose recipients' : undefined}
        ref={choice === 'class' ? undefined : field.ref}
      />
      {typeof audience === 'object' && 'classId' in audience && (
        <ClassSelect
          id={audience.classId}
          onChange={(classId) => onChange({ classId })}
          error={fieldState.invalid ? 'Please choose a class' : undefined}
          ref={field.ref}
        />
      )}
      {typeof audience === 'object' && 'from' in audience && <Days days={audience} day={day} onChange={onChange} />}
    </>
  )
}

type ClassProps = {
  id: number
  onChange: (id: number) => void
  error: string | undefined
  ref: Ref<HTMLSelectElement>
}

/** The classes of the coming weeks, and the preselected one whenever it is. */
function ClassSelect({ id, onChange, error, ref }: ClassProps) {
  const { data, error: failed } = useClassesAhead()
  const classes = data ?? []
  const isListed = classes.some((c) => c.id === id)
  const other = usePreview(id > 0 && !isListed ? { audience: { classId: id } } : undefined).data
  return (
    <SelectField
      label="Class"
      choose={chooseClass(data, failed)}
      options={[
        ...(other && !isListed ? [[id, other.audience] as const] : []),
        ...classes.map((c) => [c.id, wordsOf(c)] as const),
      ]}
      value={isListed || other ? id : ''}
      onChange={({ target }) => onChange(Number(target.value))}
      error={error}
      ref={ref}
    />
  )
}

type DaysProps = { days: { from: string; to: string }; day: string; onChange: (next: Audience) => void }

function Days({ days: { from, to }, day, onChange }: DaysProps) {
  return (
    <div className="grid gap-5">
      <DateField
        label="First day"
        value={from}
        onChange={(date) => onChange({ from: date, to: date > to ? date : to })}
        min={addDays(day, 1 - DAYS_BACK)}
      />
      <DateField label="Last day" value={to} onChange={(date) => onChange({ from, to: date })} min={from} />
    </div>
  )
}
