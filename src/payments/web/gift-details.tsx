import { useEffect, useRef } from 'react'
import { formatDate } from '#foundation/dates.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import type { Gift } from '#vouchers/contract.ts'

/** Who gets the voucher that is being bought, and how. */
export default function GiftDetails({ gift, onChange }: { gift: Gift; onChange: () => void }) {
  const { recipientName, recipientEmail, sendOn } = gift
  const heading = useRef<HTMLParagraphElement>(null)
  // The button that was pressed is gone.
  useEffect(() => heading.current?.focus(), [])
  const day = sendOn ? `at ${studio.policies.voucher.sendAt} on ${formatDate(sendOn)}` : 'once it is paid'
  return (
    <div className="mb-5 flex items-start justify-between gap-x-4 rounded-row bg-linen py-3 pr-2 pl-4">
      <div className="min-w-0 wrap-anywhere">
        <p ref={heading} tabIndex={-1} className="font-medium outline-none">
          For {recipientName}
        </p>
        <p className="text-small text-ink-soft">
          {recipientEmail ? `We’ll email ${recipientEmail} ${day}.` : 'We’ll email you the card to print.'}
        </p>
      </div>
      <Button variant="quiet" small className="flex-none" aria-label="Change the gift" onClick={onChange}>
        Change
      </Button>
    </div>
  )
}
