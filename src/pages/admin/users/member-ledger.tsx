import { formatInstant } from '#foundation/instants.ts'
import type { LedgerLine } from '#passes/contract.ts'
import {
  classInWords,
  creditsInWords,
  whatHappened,
  whoForAdmin,
  whyItHappened,
} from '#passes/web/credit-history-dialog.tsx'
import { Rows } from '#ui/rows.tsx'

/** Every movement of a member's credits: what, for which class, why, who and when. */
export function MemberLedger({ lines }: { lines: LedgerLine[] }) {
  if (lines.length === 0) return <p className="text-ink-mute">No credits have moved yet</p>
  return (
    <Rows
      label="Credit ledger"
      rows={lines}
      keyOf={(line) => line.id}
      columns={[
        { head: 'What', cell: (line) => <What line={line} /> },
        { head: 'Who', cell: (line) => whoForAdmin(line) ?? 'Not recorded' },
        { head: 'Pass', cell: (line) => line.package },
        { head: 'When', cell: ({ at }) => formatInstant(at) },
        { head: 'Credits', cell: creditsInWords, numeric: true },
      ]}
    />
  )
}

function What({ line }: { line: LedgerLine }) {
  const details = [classInWords(line), whyItHappened(line)].filter((part) => part !== null)
  return (
    <>
      {whatHappened(line)}
      {details.map((detail) => (
        <span key={detail} className="block text-[0.875rem] font-normal text-ink-mute">
          {detail}
        </span>
      ))}
    </>
  )
}
