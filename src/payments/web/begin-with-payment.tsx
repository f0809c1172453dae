import { Tick } from '#ui/choices.tsx'
import { REQUEST } from './begin-request.ts'

/** Optional: the member can pay without it. */
export default function BeginWithPayment({
  isAsked,
  onChange,
}: {
  isAsked: boolean
  onChange: (isAsked: boolean) => void
}) {
  return (
    <div className="border-t border-line pt-4">
      <Tick
        checked={isAsked}
        onChange={({ target }) => onChange(target.checked)}
        label={REQUEST}
        help="Optional. You can also decide this when you book."
      />
    </div>
  )
}
