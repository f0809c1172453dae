import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { formatInstant } from '../../../foundation/dates.ts'
import type { HealthRead } from '../../../health/contract.ts'
import { useHealthReads } from '../../../health/web/admin-health.ts'
import { PAGE_ROWS, Pager } from '../../../ui/pager.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Rows } from '../../../ui/rows.tsx'

/** Who of the studio read whose health data and when; asked for when it is opened. `search`: whose. */
export function AccessLog({ search }: { search: string }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="group mt-12 border-t border-line pt-2" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="title flex min-h-11 cursor-pointer list-none items-center gap-3 rounded-field [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden
          size={20}
          strokeWidth={1.5}
          className="-rotate-90 transition-transform group-open:rotate-0"
        />
        Access log{search && `: ${search}`}
      </summary>
      {open && <Lines key={search} search={search} />}
    </details>
  )
}

const WHAT: Record<HealthRead['what'], string> = {
  health_updates: 'Changes in this list',
  session_notes: 'Notes beside a session',
  answers: 'All answers',
}

/** Who it is; of an account that is gone the beginning of its id, which tells one from another. */
function nameOf({ id, firstName, lastName }: HealthRead['member'], gone: string): string {
  if (firstName !== null) return `${firstName} ${lastName}`
  return id ? `${gone} (${id.slice(0, 8)})` : gone
}

function Lines({ search }: { search: string }) {
  const [page, setPage] = useState(1)
  const reads = useHealthReads({
    limit: PAGE_ROWS,
    offset: (page - 1) * PAGE_ROWS,
    search: search || undefined,
  })
  return (
    <QueryView query={reads} failed="The access log could not be loaded.">
      {({ rows, total, isMore }) =>
        rows.length === 0 ? (
          <p className="py-3 text-ink-soft">Nobody has read any{search ? ' of this' : ''} health data yet.</p>
        ) : (
          <>
            <Rows
              label="Access log"
              rows={rows}
              keyOf={(read) => read.id}
              columns={[
                {
                  head: 'Who',
                  cell: ({ admin }) => nameOf(admin, 'A former admin'),
                },
                { head: 'Read of', cell: ({ member }) => nameOf(member, 'An erased member') },
                { head: 'What', cell: ({ what }) => WHAT[what] },
                { head: 'When', cell: ({ at }) => formatInstant(at) },
              ]}
            />
            <Pager page={page} total={total} isMore={isMore} onTurn={setPage} />
          </>
        )
      }
    </QueryView>
  )
}
