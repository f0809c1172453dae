import { useState } from 'react'
import { formatInstant } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { LedgerLine } from '../contract.ts'
import { classInWords, creditsInWords, whatHappened, whoForMember, whyItHappened } from './ledger-words.ts'
import { useCredits } from './passes.ts'

/** So many at first, and more each time they are asked for. */
const SHOWN = 50

/** Every movement of the member's credits: what, for which class, why, by whom and when. */
export default function CreditHistoryDialog({ onClose }: { onClose: () => void }) {
  const [shown, setShown] = useState(SHOWN)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Credit history"
      description="Every credit you got and used, the latest first. One credit is one place for one person."
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
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="font-medium">{whatHappened(line)}</p>
        <p className="text-[0.9375rem]">{about ?? line.package}</p>
        {why && <p className="text-[0.9375rem] text-ink-soft">{why}</p>}
        <p className="mt-1 text-[0.875rem] text-ink-mute">
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
