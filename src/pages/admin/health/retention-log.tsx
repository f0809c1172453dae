import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { callPage } from '../../../foundation/call.ts'
import { formatInstant } from '../../../foundation/dates.ts'
import type { listRetentionRuns } from '../../../privacy/contract.ts'
import { studio } from '../../../studio.ts'
import { PAGE_ROWS, Pager } from '../../../ui/pager.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Rows } from '../../../ui/rows.tsx'

/** What the nightly retention job erased: counts, nothing of whom. Asked for when it is opened. */
export function RetentionLog() {
  const [open, setOpen] = useState(false)
  const { contactYears, healthMonths, financialYears, recordMonths } = studio.policies.retention
  return (
    <details className="group mt-4 border-t border-line pt-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="title flex min-h-11 cursor-pointer list-none items-center gap-3 rounded-field [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden
          size={20}
          strokeWidth={1.5}
          className="-rotate-90 transition-transform group-open:rotate-0"
        />
        Erased by the privacy policy
      </summary>
      {open && (
        <>
          <p className="mt-2 mb-4 max-w-[70ch] text-[0.9375rem]/[1.5] text-ink-soft">
            Every night what is over is erased: accounts {contactYears} years after the last class, health information{' '}
            {healthMonths} months after it, purchases after {financialYears} years, these records after {recordMonths}{' '}
            months. Never of somebody with a valid pass, a booking ahead, or an open dispute or complaint.
          </p>
          <Runs />
        </>
      )}
    </details>
  )
}

function Runs() {
  const [page, setPage] = useState(1)
  const query = { limit: PAGE_ROWS, offset: (page - 1) * PAGE_ROWS }
  const runs = useQuery({
    queryKey: ['admin', 'retention', query],
    queryFn: () => callPage<typeof listRetentionRuns>({ method: 'GET', path: '/api/admin/retention-runs' }, { query }),
    placeholderData: (before) => before,
  })
  return (
    <QueryView query={runs} failed="The log could not be loaded.">
      {({ rows, total, isMore }) =>
        rows.length === 0 ? (
          <p className="py-3 text-ink-soft">The first run is still to come.</p>
        ) : (
          <>
            <Rows
              label="Erased by the privacy policy"
              rows={rows}
              keyOf={(run) => run.id}
              columns={[
                { head: 'When', cell: ({ ranAt }) => formatInstant(ranAt) },
                { head: 'Accounts', cell: ({ members }) => members, numeric: true },
                { head: 'Health information', cell: ({ healthRecords }) => healthRecords, numeric: true },
                { head: 'Purchases', cell: ({ purchases }) => purchases, numeric: true },
                { head: 'Record lines', cell: ({ recordLines }) => recordLines, numeric: true },
                { head: 'Failed', cell: ({ failures }) => failures || 'None', numeric: true },
              ]}
            />
            <Pager page={page} total={total} isMore={isMore} onTurn={setPage} />
          </>
        )
      }
    </QueryView>
  )
}
