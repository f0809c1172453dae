import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { many } from '#foundation/collections.ts'
import { formatDate } from '#foundation/dates.ts'
import type { ImportResult, ImportRow } from '#imports/contract.ts'
import type { DateOrder, Field } from '#imports/rules.ts'
import { type ChosenFile, importsApi } from '#imports/web/api.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { Tick } from '#ui/choices.tsx'
import { Figures } from '#ui/figures.tsx'
import { SelectFilter } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { keptAfterWrites } from '#ui/refetch-shown.ts'
import { Rows } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'
import { ImportColumns } from './import-columns.tsx'

/** What the admin has corrected of the file: what columns hold, and how dates are read. */
type Corrections = { columns: Record<string, Field | null>; dateOrder?: DateOrder }

export function ImportPreview({ file, onDone }: { file: ChosenFile; onDone: (result: ImportResult) => void }) {
  const { csv } = file
  const [corrections, setCorrections] = useState<Corrections>({ columns: {} })
  const preview = useQuery({
    ...importsApi.importMembers.queryOptions({ body: { csv, dryRun: true, ...corrections } }),
    // Not the file itself: it may be long.
    queryKey: [...importsApi.importMembers.key, file.id, corrections],
    placeholderData: keepPreviousData,
    gcTime: 0,
    ...keptAfterWrites,
  })
  return (
    <div className="mt-8">
      <EncodingNote encoding={file.encoding} />
      <QueryView query={preview} failed="The file could not be read." loading="Reading the file...">
        {(result) => (
          <>
            {result.problems.length > 0 && (
              <Callout role="alert" className="mb-6 grid gap-1 p-4">
                {result.problems.map((problem) => (
                  <p key={problem}>{problem}</p>
                ))}
              </Callout>
            )}
            {result.notes.length > 0 && (
              <ul className="mb-6 grid max-w-[65ch] gap-1 text-small text-warn">
                {result.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            )}
            {result.columns.length > 0 && (
              <ImportColumns
                columns={result.columns}
                dateOrder={result.dateOrder}
                onTake={(heading, field) =>
                  setCorrections((now) => ({ ...now, columns: { ...now.columns, [heading]: field } }))
                }
                onOrder={(dateOrder) => setCorrections((now) => ({ ...now, dateOrder }))}
              />
            )}
            {result.rows.length > 0 && (
              <Ready
                key={JSON.stringify(corrections)}
                result={result}
                isStale={preview.isPlaceholderData}
                sent={{ csv, ...corrections }}
                onDone={onDone}
              />
            )}
          </>
        )}
      </QueryView>
    </div>
  )
}

const ENCODINGS = {
  'UTF-8 with errors':
    'This file is UTF-8, but some of its characters could not be read, and show as \ufffd. Please check those names.',
  'Windows-1252':
    'This file is not UTF-8, so it was read as a file from an older version of Excel for Windows (Windows-1252). Please check that names with accents are right. If not, save it as “CSV UTF-8” and choose it again.',
  'Mac Roman':
    'This file is not UTF-8, so it was read as a file from an older version of Excel for the Mac (Mac Roman). Please check that names with accents are right. If not, save it as “CSV UTF-8” and choose it again.',
}

function EncodingNote({ encoding }: Pick<ChosenFile, 'encoding'>) {
  if (encoding === 'UTF-8' || encoding === 'UTF-16') return null
  return <p className="mb-6 max-w-[65ch] text-small text-warn">{ENCODINGS[encoding]}</p>
}

type ReadyProps = {
  result: ImportResult
  isStale: boolean
  sent: Corrections & { csv: string }
  onDone: (result: ImportResult) => void
}

function Ready({ result: { counts, rows }, isStale, sent, onDone }: ReadyProps) {
  const [invite, setInvite] = useState(false)
  const [leaveOutWrong, setLeaveOut] = useState(false)
  const run = useAdminMutation({
    mutationFn: () => importsApi.importMembers.call({ body: { ...sent, dryRun: false, invite, leaveOutWrong } }),
    toasts: {
      success: ({ counts: done }) => `${many(done.members, 'member')} and ${many(done.credits, 'credit')} imported`,
      failure: 'Failed to import',
    },
    onSuccess: onDone,
  })
  const why = whyNotYet(counts, leaveOutWrong)
  return (
    <>
      <div className="mt-8">
        <Figures
          figures={[
            ['Members to add', counts.members],
            ['Members here already', counts.known],
            ['Credits', counts.credits],
            ['Bookings', counts.bookings],
            ['Unchanged', counts.nothing],
            ['To check', counts.toCheck],
            ['Errors', counts.wrong],
          ]}
        />
      </div>
      <div className="mt-6 max-w-[65ch]">
        {counts.wrong > 0 && (
          <Tick
            label={`Leave out ${many(counts.wrong, 'row with an error', 'rows with errors')}`}
            checked={leaveOutWrong}
            onChange={(event) => setLeaveOut(event.target.checked)}
          />
        )}
        <Tick
          label="Send each new member an invitation to set a password now"
          help="You can also do it later, with one button on this page."
          checked={invite}
          onChange={(event) => setInvite(event.target.checked)}
        />
        <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2">
          <Button disabled={why !== undefined || isStale} aria-describedby={why ? 'why-not' : undefined} runs={run}>
            Import
          </Button>
          {why && (
            <p id="why-not" className="text-small text-ink-mute">
              {why}
            </p>
          )}
        </div>
        <Refused refusal={run.refusal} />
      </div>
      <ImportRows rows={rows} />
    </>
  )
}

function whyNotYet(counts: ImportResult['counts'], leaveOutWrong: boolean): string | undefined {
  if (counts.members + counts.passes + counts.bookings + counts.consents === 0) return 'There is nothing to import.'
  return counts.wrong > 0 && !leaveOutWrong
    ? 'Correct the rows with errors and choose the file again, or leave them out.'
    : undefined
}

/** Rows shown at first; showing a thousand would slow the page down. */
const SHOWN = 50

const SHOW = [
  ['all', 'All rows'],
  ['look', 'Rows to check'],
  ['wrong', 'Rows with errors'],
] as const

const DOES = {
  add: ['ok', 'Added'],
  add_with_pass: ['ok', 'Added with a pass'],
  pass: ['info', 'Gets a pass'],
  book: ['info', 'Booked'],
  consent: ['info', 'Agreed to news'],
  nothing: ['sand', 'Unchanged'],
  wrong: ['err', 'Error'],
} as const

function firstShown(rows: readonly ImportRow[]): (typeof SHOW)[number][0] {
  if (rows.some(({ does }) => does === 'wrong')) return 'wrong'
  return rows.some(({ notes }) => notes.length > 0) ? 'look' : 'all'
}

function ImportRows({ rows }: { rows: readonly ImportRow[] }) {
  const [show, setShow] = useState<string>(firstShown(rows))
  const [limit, setLimit] = useState(SHOWN)
  const chosen = rows.filter(
    ({ does, notes }) => show === 'all' || does === 'wrong' || (show === 'look' && notes.length > 0),
  )
  return (
    <div className="mt-10">
      <div className="mb-4 max-w-60">
        <SelectFilter label="Show" value={show} options={SHOW} onChange={(next) => setShow(next ?? 'all')} />
      </div>
      <Rows
        label="Rows of the file"
        rows={chosen.slice(0, limit)}
        keyOf={({ line }) => line}
        columns={[
          {
            head: 'Name, contact',
            cell: ({ name, email, phone }) => (
              <>
                {name || 'No name'}
                {email && <span className="block text-caption font-normal text-ink-mute">{email}</span>}
                {phone && <span className="block text-caption font-normal text-ink-mute">{phone}</span>}
              </>
            ),
          },
          { head: 'Line', cell: ({ line }) => line, numeric: true },
          {
            head: 'What happens',
            cell: ({ does, books, consentSince, notes }) => (
              <>
                <Badge tone={DOES[does][0]}>{DOES[does][1]}</Badge>
                {books && (
                  <span className="mt-1 block text-caption/snug">
                    Booked: {books.title}, {formatDate(books.date)}, {books.startTime}
                  </span>
                )}
                {consentSince && (
                  <span className="mt-1 block text-caption/snug">Agreed to news on {formatDate(consentSince)}</span>
                )}
                {notes.map((note) => (
                  <span key={note} className="mt-1 block text-caption/snug text-ink-soft">
                    {note}
                  </span>
                ))}
              </>
            ),
          },
          { head: 'Credits', cell: ({ credits }) => credits || 'None', numeric: true },
          {
            head: 'Pass',
            cell: ({ package: name, expiresOn }) =>
              name && expiresOn ? (
                <>
                  {name}
                  <span className="block text-caption whitespace-nowrap text-ink-mute">
                    until {formatDate(expiresOn)}
                  </span>
                </>
              ) : (
                'None'
              ),
          },
        ]}
      />
      {chosen.length === 0 && <p className="py-6 text-ink-soft">No rows match.</p>}
      {chosen.length > limit && (
        <Button variant="secondary" small className="mt-4" onClick={() => setLimit((now) => now + 4 * SHOWN)}>
          Show more of {chosen.length}
        </Button>
      )}
    </div>
  )
}
