import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#foundation/instants.ts'
import type { HealthUpdate } from '#health/contract.ts'
import { healthApi, READ_AGAIN } from '#health/web/health.ts'
import { answerInWords, labelOf } from '#health/web/words.ts'
import { History } from '#insights/web/history.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { NoMatches, PagedView, SearchBox, usePaging } from '#ui/pager.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { AccessLog } from './access-log.tsx'
import { RetentionLog } from './retention-log.tsx'

/** What members have changed about their health, and who of the studio has looked. */
export default function HealthUpdatesTab() {
  const paging = usePaging()
  const updates = useQuery({
    ...healthApi.listHealthUpdates.pageOptions({ query: paging.params }),
    ...READ_AGAIN,
  })
  return (
    <>
      <Process />
      <div className="mt-8 mb-4">
        <SearchBox label="Search by member" search={paging.search} onSearch={paging.setSearch} />
      </div>
      <PagedView
        query={updates}
        failed="Failed to load health updates"
        loading="Loading health updates..."
        page={paging.page}
        onTurn={paging.setPage}
        empty={
          paging.search ? (
            <NoMatches title="No updates match" onClear={() => paging.setSearch('')} />
          ) : (
            <EmptyState title="No health updates yet" />
          )
        }
      >
        {(rows) => (
          <ul className="border-t border-line" aria-label="Health updates">
            {rows.map((update) => (
              <Update key={update.id} update={update} />
            ))}
          </ul>
        )}
      </PagedView>
      <div hidden={updates.isPending}>
        <AccessLog search={paging.search} />
        <RetentionLog />
      </div>
    </>
  )
}

function Process() {
  return (
    <section aria-labelledby="how-this-works" className="rounded-card bg-linen p-6 sm:p-7">
      <h2 id="how-this-works" className="title">
        How this works
      </h2>
      <ol className="mt-3 grid list-decimal gap-1.5 pl-5 text-[0.9375rem]/[1.5] text-ink-soft">
        <li>A member saves the health questionnaire or the emergency contact: an update appears here as New.</li>
        <li>Read what has changed and tell whoever teaches the member, away from email and chat.</li>
        <li>Mark as Sent: the update becomes Notified.</li>
      </ol>
      <p className="mt-3 text-[0.9375rem]/[1.5] text-ink-mute">
        Answers are stored encrypted. Everyone who opens this list is recorded in the access log below.
      </p>
    </section>
  )
}

function Update({ update }: { update: HealthUpdate }) {
  const mark = useMarkSent()
  const { user } = update
  const name = `${user.firstName} ${user.lastName}`
  return (
    <li className="border-b border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">
            {name} {update.notificationSent ? <Badge tone="ok">Notified</Badge> : <Badge tone="warn">New</Badge>}
          </p>
          <p className="text-[0.9375rem] text-ink-mute [overflow-wrap:anywhere]">
            {update.updateType === 'questionnaire_updated' ? 'Health Questionnaire' : 'Emergency Contact'} ·{' '}
            {formatInstant(update.createdAt)} · {user.email}
          </p>
        </div>
        {!update.notificationSent && (
          <Button
            variant="secondary"
            small
            busy={mark.isPending}
            aria-label={`Mark as Sent: ${name}`}
            onClick={() => mark.mutate(update.id)}
          >
            Mark as Sent
          </Button>
        )}
      </div>
      {update.unreadable ? (
        <p className="mt-3 text-[0.9375rem] text-err">{update.unreadable}.</p>
      ) : (
        <Changes changes={update.changes} isFirst={update.isFirst} />
      )}
      {update.notificationSent && <History subject={`health_update:${update.id}`} />}
    </li>
  )
}

function useMarkSent() {
  return useAdminMutation({
    mutationFn: (id: number) => healthApi.markHealthUpdateSent.call({ params: { id } }),
    says: { success: 'Notification marked as sent', failure: 'Failed to mark notification as sent' },
    stale: [healthApi.listHealthUpdates],
  })
}

/** What changed, in words: each field with its old answer and its new one. */
export function Changes({ changes, isFirst }: Pick<HealthUpdate, 'changes' | 'isFirst'>) {
  const changed: Record<string, { old: unknown; new: unknown }> = JSON.parse(changes)
  const fields = Object.entries(changed)
  if (fields.length === 0) {
    return (
      <p className="mt-3 text-[0.9375rem] text-ink-soft">
        {isFirst ? 'No answers given.' : 'Saved again without a change.'}
      </p>
    )
  }
  return (
    <dl className="mt-3 grid gap-x-8 gap-y-2 text-[0.9375rem]/[1.45] sm:grid-cols-2">
      {fields.map(([field, { old, new: now }]) => (
        <div key={field}>
          <dt className="text-ink-mute">{labelOf(field)}</dt>
          <dd className="whitespace-pre-line [overflow-wrap:anywhere]">
            <span className="text-ink-mute">{answerInWords(field, old)}</span> →{' '}
            <span className="font-medium">{answerInWords(field, now)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
