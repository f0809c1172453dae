import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#foundation/instants.ts'
import type { HealthRead } from '#health/contract.ts'
import { healthApi, READ_AGAIN } from '#health/web/health.ts'
import { Disclosure } from '#ui/disclosure.tsx'
import { PagedView, pageParams } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'

/** Who of the studio read whose health data and when; asked for when it is opened. `search`: whose. */
export function AccessLog({ search }: { search: string }) {
  return (
    <Disclosure label={<>Access log{search && `: ${search}`}</>} large className="mt-12">
      <Lines key={search} search={search} />
    </Disclosure>
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
  const reads = useQuery({
    ...healthApi.listHealthReads.pageOptions({ query: { ...pageParams(page), search: search || undefined } }),
    ...READ_AGAIN,
  })
  return (
    <PagedView
      query={reads}
      failed="The access log could not be loaded."
      page={page}
      onTurn={setPage}
      empty={<p className="py-3 text-ink-soft">Nobody has read any{search ? ' of this' : ''} health data yet.</p>}
    >
      {(rows) => (
        <Rows
          label="Access log"
          rows={rows}
          keyOf={(read) => read.id}
          columns={[
            { head: 'Who', cell: ({ admin }) => nameOf(admin, 'A former admin') },
            { head: 'Read of', cell: ({ member }) => nameOf(member, 'An erased member') },
            { head: 'What', cell: ({ what }) => WHAT[what] },
            { head: 'When', cell: ({ at }) => formatInstant(at) },
          ]}
        />
      )}
    </PagedView>
  )
}
