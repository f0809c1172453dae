import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatLongDate } from '#foundation/dates.ts'
import { studioTime } from '#foundation/instants.ts'
import type { OwnHealthRead } from '#health/contract-own.ts'
import { healthApi } from '#health/web/health.ts'
import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'

const FIRST = 5
const STEP = 25

const WHAT: Record<OwnHealthRead['what'], string> = {
  health_updates: 'looked at what had changed',
  session_notes: 'saw the notes for a class',
  emergency_contact: 'looked up your emergency contact',
  answers: 'read all your answers',
}

export default function WhoRead() {
  const [limit, setLimit] = useState(FIRST)
  const reads = useQuery({
    ...healthApi.listOwnHealthReads.pageOptions({ query: { limit } }),
    gcTime: 0,
  })
  return (
    <QueryView query={reads} failed="The record could not be loaded.">
      {({ rows, total }) => (
        <>
          <p className="text-ink-soft">
            We record each time someone at the studio opens your health information, and keep the record for{' '}
            {studio.policies.retention.recordMonths} months.
          </p>
          {rows.length === 0 ? (
            <p className="mt-3">No one has read it yet.</p>
          ) : (
            <ol className="mt-3">
              {rows.map((read) => (
                <li key={`${read.lastAt} ${read.what} ${read.reader}`} className="border-t border-line py-2.5">
                  <span className="block font-medium">{formatLongDate(read.day)}</span>
                  <span className="text-ink-soft">{sentenceOn(read)}</span>
                </li>
              ))}
            </ol>
          )}
          {total > rows.length && (
            <Button variant="quiet" small className="-ml-3 px-3" onClick={() => setLimit((now) => now + STEP)}>
              Show more
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}

function sentenceOn({ reader, what, times, lastAt }: OwnHealthRead): string {
  const time = studioTime(Temporal.Instant.from(lastAt))
  const when = times === 1 ? `at ${time}` : `${times} times, the last at ${time}`
  return `${reader ?? 'Someone who no longer works here'} ${WHAT[what]}, ${when}.`
}
