import { today } from '#foundation/instants.ts'
import { type Audience, knowsClasses } from '#mailings/contract.ts'
import { freePlaces, RUNNING_LATE, type Starter } from '#mailings/web/messages.ts'
import { useClasses } from '#timetable/web/classes.ts'
import { Button } from '#ui/button.tsx'
import { present } from '#ui/use-now.ts'

/** Messages that come up again and again, to begin with; gone once something was typed, which they would replace. */
export function Starters({
  audience,
  onStart,
  isTyped,
}: {
  audience: Audience | undefined
  onStart: (starter: Starter) => void
  isTyped: boolean
}) {
  const tomorrow = Temporal.PlainDate.from(today(present())).add({ days: 1 }).toString()
  const classes = useClasses(tomorrow, tomorrow)
  if (isTyped) return null
  const comeToClasses = audience !== undefined && knowsClasses(audience)
  const free = (classes.data ?? []).filter(({ availableSpots }) => availableSpots > 0)
  return (
    <fieldset className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <legend className="mb-2 text-[0.9375rem]/[1.4] font-medium">Begin with</legend>
      {(!audience || comeToClasses) && (
        <Button variant="secondary" small onClick={() => onStart(RUNNING_LATE)}>
          {RUNNING_LATE.name}
        </Button>
      )}
      {!comeToClasses && (
        <Button
          variant="secondary"
          small
          disabled={free.length === 0}
          aria-describedby={free.length === 0 ? 'none-free' : undefined}
          onClick={() => onStart(freePlaces(tomorrow, free, window.location.origin))}
        >
          Free place tomorrow
        </Button>
      )}
      {!comeToClasses && classes.isSuccess && free.length === 0 && (
        <span id="none-free" className="text-[0.875rem] text-ink-mute">
          Nothing is free tomorrow
        </span>
      )}
    </fieldset>
  )
}
