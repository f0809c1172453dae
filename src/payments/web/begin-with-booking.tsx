import { formatDate } from '#foundation/dates.ts'
import { Tick } from '#ui/choices.tsx'
import type { BeginOffer } from '../contract-begin.ts'
import { REQUEST } from './begin-request.ts'

/** The optional checkbox of the booking dialog. It is sent with the booking. */
export default function BeginWithBooking({
  offer,
  isAsked,
  onChange,
}: {
  offer: BeginOffer
  isAsked: boolean
  onChange: (isAsked: boolean) => void
}) {
  return (
    <Tick
      checked={isAsked}
      onChange={({ target }) => onChange(target.checked)}
      label={REQUEST}
      help={`Optional. ${offer.package.name} pays for this class, and you can cancel that purchase until ${formatDate(offer.until)}. You can withdraw this under Receipts on your dashboard until you have taken a class with it.`}
    />
  )
}
