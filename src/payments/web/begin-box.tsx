import { studio } from '#studio.ts'
import { Tick } from '#ui/choices.tsx'

const { coolingOffDays } = studio.policies

/** Asks to start before the period in which a purchase can be cancelled is over. Nobody has to, to pay or to book. */
export default function BeginBox({
  isAsked,
  onChange,
  help,
}: {
  isAsked: boolean
  onChange: (isAsked: boolean) => void
  help: string
}) {
  return (
    <Tick
      checked={isAsked}
      onChange={({ target }) => onChange(target.checked)}
      label={`Please let me start using this pass during the ${coolingOffDays}-day cancellation period. If I then cancel, I will pay for the classes I have taken.`}
      help={`Optional. ${help}`}
    />
  )
}
