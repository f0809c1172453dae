import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ACTIONS } from '#audit/contract.ts'
import { formatDate } from '#foundation/dates.ts'
import { formatInstant } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { QueryView } from '#ui/query-view.tsx'
import type { AuditLine } from '../contract.ts'
import { insightsApi } from './api.ts'

const LINES = 20

/** Who changed something and when, loaded when opened. `subject`: `class:42`. */
export function History({ subject, className = 'mt-8' }: { subject: string; className?: string }) {
  return (
    <Disclosure label="History" className={className}>
      <Lines subject={subject} />
    </Disclosure>
  )
}

function Lines({ subject }: { subject: string }) {
  const [limit, setLimit] = useState(LINES)
  const page = useQuery(insightsApi.listAudit.pageOptions({ query: { subject, limit } }))
  return (
    <QueryView query={page} failed="The history could not be loaded.">
      {({ rows, total }) =>
        rows.length === 0 ? (
          <p className="py-2 text-small text-ink-mute">No changes yet.</p>
        ) : (
          <>
            <ol className="grid gap-4 py-2">
              {rows.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </ol>
            {total > rows.length && (
              <Button variant="quiet" small onClick={() => setLimit((now) => now + LINES)}>
                Show more
              </Button>
            )}
          </>
        )
      }
    </QueryView>
  )
}

function Line({ line }: { line: AuditLine }) {
  return (
    <li className="text-small/even">
      <p>
        <span className="font-medium">{ACTIONS[line.action]}</span>{' '}
        <span className="text-ink-mute">
          by {line.admin.name ?? 'a former admin'}, {formatInstant(line.at)}
        </span>
      </p>
      {Object.entries(line.changes).map(([field, { before, after }]) => (
        <p key={field} className="text-ink-soft wrap-anywhere">
          {wordsOf(field)}: {before != null && before !== '' && <>{textOf(before)} → </>}
          {textOf(after)}
        </p>
      ))}
    </li>
  )
}

/** `maxParticipants` → `Max participants`. */
function wordsOf(field: string): string {
  const words = field
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function textOf(value: string | number | boolean | null | undefined): string {
  if (value == null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value)) ? formatDate(String(value)) : String(value)
}
