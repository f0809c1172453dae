import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountsApi } from '#accounts/web/api.ts'
import { formatInstant } from '#foundation/instants.ts'
import { many } from '#foundation/many.ts'
import type { ImportBatch } from '#imports/contract.ts'
import { importsApi } from '#imports/web/api.ts'
import { insightsApi, memberQueries } from '#insights/web/api.ts'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../../admin-mutation.ts'
import { ConfirmChange } from '../../dialog-form.tsx'

/** The last imports, and the way to take one of today back. */
export function RecentImports({ onTakenBack }: { onTakenBack: () => void }) {
  const [asked, setAsked] = useState<ImportBatch>()
  const imports = useQuery({
    ...importsApi.listImports.queryOptions(),
  })
  if (imports.data?.length === 0) return null
  return (
    <section aria-label="Recent imports" className="mt-12 border-t border-line pt-6">
      <h3 className="title mb-2">Recent imports</h3>
      <p className="mb-4 max-w-[65ch] text-ink-soft">
        An import can be taken back on its day, while none of its credits has been used.
      </p>
      <QueryView query={imports} failed="The imports could not be loaded." loading="Loading the imports...">
        {(list) => (
          <ul className="divide-y divide-line border-y border-line">
            {list.map((batch) => (
              <li key={batch.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
                <span className="tabular-nums">{formatInstant(batch.importedAt)}</span>
                <span className="text-ink-soft">{wordsOf(batch)}</span>
                {batch.takenBackAt && <span className="text-ink-mute">Taken back</span>}
                {batch.mayTakeBack && (
                  <Button
                    variant="secondary"
                    small
                    className="ml-auto"
                    aria-label={`Take back the import of ${formatInstant(batch.importedAt)}`}
                    onClick={() => setAsked(batch)}
                  >
                    Take back
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {asked && <TakeBackDialog batch={asked} onClose={() => setAsked(undefined)} onTakenBack={onTakenBack} />}
    </section>
  )
}

const wordsOf = ({ members, credits, passes }: ImportBatch) =>
  `${many(members, 'member')} added, ${many(credits, 'credit')} on ${many(passes, 'pass', 'passes')}`

function TakeBackDialog({
  batch,
  onClose,
  onTakenBack,
}: {
  batch: ImportBatch
  onClose: () => void
  onTakenBack: () => void
}) {
  const takeBack = useAdminMutation({
    mutationFn: () => importsApi.takeBackImport.call({ params: { id: batch.id } }),
    says: {
      success: ({ membersRemoved, credits }) =>
        `${many(membersRemoved, 'member')} and ${many(credits, 'credit')} removed`,
      failure: 'Failed to take the import back',
    },
    stale: [importsApi.listImports, ...memberQueries, insightsApi.getAnalytics, accountsApi.countUninvited],
    onSuccess: () => {
      onClose()
      onTakenBack()
    },
  })
  return (
    <ConfirmChange
      title="Take this import back?"
      text={`${formatInstant(batch.importedAt)}: ${wordsOf(batch)}. Its credits are removed, and so are the members it added. Members who have been invited or hold another pass stay, without these credits. You can import a corrected file afterwards.`}
      keep="Keep"
      confirm="Take back"
      mutation={takeBack}
      onClose={onClose}
    />
  )
}
