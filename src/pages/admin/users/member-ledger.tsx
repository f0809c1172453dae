import type { LedgerLine } from '../../../passes/contract.ts'
import { Rows } from '../../../ui/rows.tsx'
import { dayOf } from '../days.ts'

const WORDS: Record<LedgerLine['kind'], string> = {
  purchase: 'Bought',
  gift: 'Gifted',
  booking: 'Booked a class',
  return: 'Returned',
  goodwill: 'Given back',
  forfeit: 'Forfeited',
  no_show: 'Did not come',
  expiry: 'Expired',
  refund: 'Refunded',
  correction: 'Corrected',
}

/** Every movement of a member's credits. */
export function MemberLedger({ lines }: { lines: LedgerLine[] }) {
  if (lines.length === 0) return <p className="text-ink-mute">No credits have moved yet</p>
  return (
    <Rows
      label="Credit ledger"
      rows={lines}
      keyOf={(line) => line.id}
      columns={[
        {
          head: 'What',
          cell: ({ kind, reason }) => (
            <>
              {WORDS[kind]}
              {reason && <span className="block text-[0.875rem] font-normal text-ink-mute">{reason}</span>}
            </>
          ),
        },
        { head: 'Pass', cell: (line) => line.package },
        { head: 'Date', cell: (line) => <span className="whitespace-nowrap">{dayOf(line.at)}</span> },
        { head: 'Credits', cell: ({ credits }) => (credits > 0 ? `+${credits}` : `−${-credits}`), numeric: true },
      ]}
    />
  )
}
