import { useState } from 'react'
import { formatDate } from '#foundation/dates.ts'
import type { ImportRow } from '#imports/contract.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { SelectFilter } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'

/** So many rows at first, and so many more each time: a thousand at once would make the page slow. */
const SHOWN = 50

const SHOW = [
  ['all', 'All rows'],
  ['look', 'What needs a look'],
  ['wrong', 'What is wrong'],
] as const

const DOES = {
  add: ['ok', 'Added'],
  add_with_pass: ['ok', 'Added with a pass'],
  pass: ['info', 'Gets a pass'],
  nothing: ['sand', 'Nothing'],
  wrong: ['err', 'Wrong'],
} as const

/** What each row of the file does. */
export function ImportRows({ rows }: { rows: readonly ImportRow[] }) {
  const [show, setShow] = useState<string>(rows.some(({ does }) => does === 'wrong') ? 'wrong' : 'all')
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
            head: 'Name, email',
            cell: ({ name, email }) => (
              <>
                {name || 'No name'}
                <span className="block text-[0.875rem] font-normal text-ink-mute">{email}</span>
              </>
            ),
          },
          { head: 'Line', cell: ({ line }) => line, numeric: true },
          {
            head: 'What happens',
            cell: ({ does, notes }) => (
              <>
                <Badge tone={DOES[does][0]}>{DOES[does][1]}</Badge>
                {notes.map((note) => (
                  <span key={note} className="mt-1 block text-[0.875rem]/[1.4] text-ink-soft">
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
                  <span className="block text-[0.875rem] whitespace-nowrap text-ink-mute">
                    until {formatDate(expiresOn)}
                  </span>
                </>
              ) : (
                'None'
              ),
          },
        ]}
      />
      {chosen.length === 0 && <p className="py-6 text-ink-soft">No row is like that.</p>}
      {chosen.length > limit && (
        <Button variant="secondary" small className="mt-4" onClick={() => setLimit((now) => now + 4 * SHOWN)}>
          Show more of {chosen.length}
        </Button>
      )}
    </div>
  )
}
