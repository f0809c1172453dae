import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { accountsApi } from '#accounts/web/api.ts'
import { newKey } from '#foundation/lost-answers.ts'
import type { Columns, ImportResult } from '#imports/contract.ts'
import { type ChosenFile, importsApi } from '#imports/web/api.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { packageQueries } from '#packages/web/packages.ts'
import { Button } from '#ui/button.tsx'
import { Tick } from '#ui/choices.tsx'
import { Figures } from '#ui/figures.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../../admin-mutation.ts'
import { Refused } from '../../dialog-form.tsx'
import { ImportColumns } from './import-columns.tsx'
import { ImportRows } from './import-rows.tsx'

/** What a file would do, row by row, and then the doing of it. */
export function ImportPreview({ file, onDone }: { file: ChosenFile; onDone: (result: ImportResult) => void }) {
  const { csv, encoding } = file
  const [columns, setColumns] = useState<Columns>({})
  const preview = useQuery({
    ...importsApi.importMembers.queryOptions({ body: { csv, dryRun: true, columns } }),
    // A long file makes a poor key.
    queryKey: [...importsApi.importMembers.key, file.id, columns],
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <div className="mt-8">
      {encoding === 'Windows-1252' && (
        <p className="mb-6 max-w-[65ch] text-[0.9375rem] text-warn">
          This file does not say how its letters are written; it was read as older versions of Excel write them. Please
          look whether names with accents are right. If not, save it as “CSV UTF-8” and choose it again.
        </p>
      )}
      <QueryView query={preview} failed="The file could not be read." loading="Reading the file...">
        {(result) => (
          <>
            {result.problems.length > 0 && (
              <ul
                role="alert"
                className="mb-6 grid gap-1 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn"
              >
                {result.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            )}
            {result.headings.length > 0 && (
              <ImportColumns
                headings={result.headings}
                columns={result.columns}
                onChange={(field, heading) => setColumns((now) => ({ ...now, [field]: heading }))}
              />
            )}
            {result.rows.length > 0 && (
              <Ready
                key={JSON.stringify(columns)}
                result={result}
                isStale={preview.isPlaceholderData}
                sent={{ csv, columns }}
                onDone={onDone}
              />
            )}
          </>
        )}
      </QueryView>
    </div>
  )
}

function Ready({
  result: { counts, rows },
  isStale,
  sent,
  onDone,
}: {
  result: ImportResult
  isStale: boolean
  sent: { csv: string; columns: Columns }
  onDone: (result: ImportResult) => void
}) {
  const [invite, setInvite] = useState(false)
  const [leaveOutWrong, setLeaveOut] = useState(false)
  // The same wish is done once, however often its answer is lost; another wish is another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is wished for is what the key stands for
  const key = useMemo(newKey, [sent.csv, sent.columns, invite, leaveOutWrong])
  const send = () => importsApi.importMembers.call({ body: { ...sent, dryRun: false, invite, leaveOutWrong }, key })
  const bring = useAdminMutation({
    mutationFn: send,
    lookAgain: send,
    says: {
      success: ({ counts: done }) => `${done.members} members and ${done.credits} credits imported`,
      failure: 'Failed to import',
    },
    stale: [
      ...memberQueries,
      insightsApi.getAnalytics,
      ...packageQueries,
      importsApi.listImports,
      accountsApi.countUninvited,
    ],
    onSuccess: onDone,
  })
  const isNothing = counts.members + counts.passes === 0
  const why = isNothing
    ? 'There is nothing to import.'
    : counts.wrong > 0 && !leaveOutWrong
      ? 'Correct what is wrong and choose the file again, or leave it out.'
      : undefined
  return (
    <>
      <div className="mt-8">
        <Figures
          figures={[
            ['Members to add', counts.members],
            ['Credits', counts.credits],
            ['Nothing to do', counts.nothing],
            ['Wrong', counts.wrong],
          ]}
        />
      </div>
      <div className="mt-6 max-w-[65ch]">
        {counts.wrong > 0 && (
          <Tick
            label={`Leave out ${counts.wrong === 1 ? 'the row that is wrong' : `the ${counts.wrong} rows that are wrong`}`}
            checked={leaveOutWrong}
            onChange={(event) => setLeaveOut(event.target.checked)}
          />
        )}
        <Tick
          label="Send each new member an invitation to set a password now"
          help="Otherwise later, with one button on this page."
          checked={invite}
          onChange={(event) => setInvite(event.target.checked)}
        />
        <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-2">
          <Button
            disabled={why !== undefined || isStale}
            aria-describedby={why ? 'why-not' : undefined}
            busy={bring.isPending}
            onClick={() => bring.mutate()}
          >
            Import
          </Button>
          {why && (
            <p id="why-not" className="text-[0.9375rem] text-ink-mute">
              {why}
            </p>
          )}
        </div>
        <Refused refusal={bring.refusal} />
      </div>
      <ImportRows rows={rows} />
    </>
  )
}
