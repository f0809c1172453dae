import { useState } from 'react'
import { formatDate } from '#foundation/dates.ts'
import { formatInstant } from '#foundation/instants.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { EmptyState, QueryView } from '#ui/query-view.tsx'
import type { LedgerLine } from '../contract.ts'
import { useCredits } from './passes.ts'

const SHOWN = 50

export default function CreditHistoryDialog({ onClose }: { onClose: () => void }) {
  const [shown, setShown] = useState(SHOWN)
  return (
    <Dialog
      onClose={onClose}
      title="Credit history"
      description="Every credit you received and used, the latest first. One credit books one place."
    >
      <div className="mt-6">
        <QueryView query={useCredits({ limit: shown })} failed="Your credit history could not be loaded.">
          {(lines) =>
            lines.length === 0 ? (
              <EmptyState title="No credits yet" />
            ) : (
              <>
                <ul className="border-t border-line">
                  {lines.map((line) => (
                    <Line key={line.id} line={line} />
                  ))}
                </ul>
                {lines.length === shown && (
                  <Button variant="quiet" small className="mt-3" onClick={() => setShown(shown + SHOWN)}>
                    Show more
                  </Button>
                )}
              </>
            )
          }
        </QueryView>
      </div>
    </Dialog>
  )
}

function Line({ line }: { line: LedgerLine }) {
  const about = classInWords(line)
  const why = whyItHappened(line)
  const who = whoForMember(line)
  return (
    <li className="flex items-start justify-between gap-4 border-b border-line py-4">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium">{whatHappened(line)}</p>
        <p className="text-small">{about ?? line.package}</p>
        {why && <p className="text-small text-ink-soft">{why}</p>}
        <p className="mt-1 text-caption text-ink-mute">
          {formatInstant(line.at)}
          {who && `, ${who}`}
          {about && `, from ${line.package}`}
        </p>
      </div>
      <p className="figure flex-none text-xl tabular-nums">
        {creditsInWords(line)} <span className="sr-only">{Math.abs(line.credits) === 1 ? 'credit' : 'credits'}</span>
      </p>
    </li>
  )
}

const WORDS: Record<LedgerLine['kind'], string> = {
  purchase: 'Pass bought',
  gift: 'Credits given',
  voucher: 'Gift voucher redeemed',
  booking: 'Class booked',
  return: 'Credit returned',
  goodwill: 'Credit given back',
  forfeit: 'Cancelled, credit kept',
  no_show: 'Not attended, credit kept',
  expiry: 'Expired unused',
  refund: 'Refunded',
  correction: 'Credits taken away',
  pause: 'Pass paused',
  resume: 'Pause ended early',
  extension: 'Pass extended',
}

export function whatHappened({ kind, credits }: LedgerLine): string {
  if (kind === 'correction' && credits === 0) return 'Attendance corrected'
  if (kind === 'correction' && credits > 0) return 'Credits added'
  return WORDS[kind]
}

/** `Duo, 07/12/2026 at 09:30`. */
export function classInWords({ class: studioClass }: LedgerLine): string | null {
  return studioClass && `${studioClass.title}, ${formatDate(studioClass.date)} at ${studioClass.startTime}`
}

export function whyItHappened({ kind, reason }: LedgerLine): string | null {
  if (reason) return reason
  const minutes = studio.policies.lateCancellationMinutes
  if (kind === 'forfeit') return `Cancelled in the last ${minutes} minutes before the start`
  if (kind === 'return') return `Cancelled more than ${minutes} minutes before the start`
  return null
}

const FOR_MEMBER = {
  member: 'by you',
  admin: 'by the studio',
  system: 'automatically',
  provider: 'by the card provider',
} as const
/** Who caused it, in words for the member. */
export const whoForMember = ({ causedBy }: LedgerLine): string => FOR_MEMBER[causedBy.by]

/** Who caused it, in words for the studio. */
export function whoForAdmin({ causedBy }: LedgerLine): string {
  if (causedBy.by === 'admin') return causedBy.name ?? 'A former admin'
  return { member: 'The member', system: 'Automatic', provider: 'The card provider' }[causedBy.by]
}

/** `+1`, `−1`, `0`. */
export function creditsInWords({ credits }: LedgerLine): string {
  if (credits === 0) return '0'
  return credits > 0 ? `+${credits}` : `−${-credits}`
}
