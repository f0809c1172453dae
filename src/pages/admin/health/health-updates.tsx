import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import { formatInstant, formatInstantDate, timeOf } from '#foundation/instants.ts'
import type { HealthRead, HealthUpdate } from '#health/contract.ts'
import { UNREADABLE } from '#health/rules.ts'
import { healthApi, READ_AGAIN } from '#health/web/health.ts'
import { answerInWords, labelOf } from '#health/web/words.ts'
import { History } from '#insights/web/history.tsx'
import { privacyApi } from '#privacy/web/api.ts'
import { studio } from '#studio.ts'
import { Badge } from '#ui/badge.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { PagedView, SearchBox, usePage, usePaging } from '#ui/pager.tsx'
import { RowButton, Rows } from '#ui/rows.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { MemberLink } from '../users/member-details.tsx'

export default function HealthUpdatesTab() {
  const paging = usePaging()
  const updates = useQuery({
    ...healthApi.listHealthUpdates.pageOptions({ query: { ...paging.params, by: 'day' } }),
    ...READ_AGAIN,
  })
  return (
    <>
      {updates.data && <Process isKnown={updates.data.rows.some(({ notificationSent }) => notificationSent)} />}
      <div className="mt-5 mb-4">
        <SearchBox label="Search by member" search={paging.search} onSearch={paging.setSearch} />
      </div>
      <PagedView
        query={updates}
        failed="Failed to load health updates"
        loading="Loading health updates..."
        paging={paging}
        empty="No health updates yet"
        noMatches={paging.search && 'No updates match'}
      >
        {(rows) =>
          [false, true].map((isSent) => (
            <Updates
              key={String(isSent)}
              isSent={isSent}
              updates={rows.filter((row) => row.notificationSent === isSent)}
            />
          ))
        }
      </PagedView>
      <div hidden={updates.isPending}>
        <AccessLog search={paging.search} />
        <RetentionLog />
      </div>
    </>
  )
}

const SHOWN = 'health-updates-explained'

/** Folded on a phone, once it has been shown in this browser, and once an update has been marked as sent. */
function Process({ isKnown }: { isKnown: boolean }) {
  const [wasShown] = useState(() => localStorage.getItem(SHOWN) !== null)
  useEffect(() => localStorage.setItem(SHOWN, 'yes'), [])
  return (
    <Disclosure
      label="How this works"
      large
      isOpen={!isKnown && !wasShown && matchMedia('(min-width: 48rem)').matches}
      className="border-t-0 rounded-card bg-linen px-6 pb-2"
    >
      <ol className="mt-1 grid list-decimal gap-1.5 pl-5 text-small/normal text-ink-soft">
        <li>A member saves the health questionnaire or the emergency contact: an update appears here as New.</li>
        <li>Read the change and tell the member’s teacher in person, not by email or chat.</li>
        <li>Mark as Sent: what the row shows becomes Notified.</li>
      </ol>
      <p className="mt-3 mb-4 text-small/normal text-ink-mute">
        Answers are stored encrypted. The access log below shows everyone who opens this list.
      </p>
    </Disclosure>
  )
}

/** A row for each member and day, newest first. */
function Updates({ isSent, updates }: { isSent: boolean; updates: HealthUpdate[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const rows = Map.groupBy(updates, ({ userId, createdAt }) => `${userId} ${formatInstantDate(createdAt)}`)
  if (rows.size === 0) return null
  const title = isSent ? 'Notified' : 'New'
  // The button that had the focus is gone.
  const onSent = () => heading.current?.focus({ preventScroll: true })
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="pt-4 pb-2 text-body font-medium">
        {title}
      </h2>
      <ul className="border-t border-line" aria-label={`Health updates, ${title}`}>
        {[...rows.values()].map(
          ([newest, ...others]) => newest && <Row key={newest.id} {...{ newest, others, onSent }} />,
        )}
      </ul>
    </>
  )
}

const typeOf = ({ updateType }: HealthUpdate) =>
  updateType === 'questionnaire_updated' ? 'Health Questionnaire' : 'Emergency Contact'

/** What a member saved on a day: whose, what and when in a line; the answers on tap. */
function Row({ newest, others, onSent }: { newest: HealthUpdate; others: HealthUpdate[]; onSent: () => void }) {
  const { id, user, userId, createdAt, notificationSent } = newest
  const mark = useAdminMutation({
    mutationFn: () =>
      healthApi.markHealthUpdateSent.call({ params: { id }, body: { also: others.map((other) => other.id) } }),
    toasts: { success: 'Notification marked as sent', failure: 'Failed to mark notification as sent' },
    onSuccess: onSent,
  })
  const all = [newest, ...others].sort((a, b) => typeOf(b).localeCompare(typeOf(a)))
  const readable = all.filter(({ unreadable }) => !unreadable)
  // What it says about an emergency contact is in the line above.
  const summed = readable.filter(({ updateType }) => updateType === readable[0]?.updateType)
  const summary = summed.map(summaryOf).join(' · ')
  const name = fullName(user)
  const about = (
    <span className="block text-caption/snug font-normal text-ink-mute">
      {formatInstant(createdAt)} · {[...new Set(all.map(typeOf))].join(', ')}
    </span>
  )
  return (
    <li className="border-b border-line pt-1">
      <div className="flex items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-2 font-medium wrap-anywhere">
          <MemberLink id={userId}>{name}</MemberLink>{' '}
          {notificationSent ? <Badge tone="ok">Notified</Badge> : <Badge tone="warn">New</Badge>}
        </p>
        {!notificationSent && (
          <span className="row-actions -mr-1 flex-none">
            <RowButton label="Mark as Sent" name={`Mark as Sent: ${name}, ${formatInstant(createdAt)}`} runs={mark} />
          </span>
        )}
      </div>
      {readable.length === 0 && about}
      {readable.length < all.length && <p className="pt-1 pb-3 text-small text-err">{UNREADABLE}.</p>}
      {readable.length > 0 && (
        <Disclosure
          label={
            <span className="min-w-0 wrap-anywhere">
              <span className={`line-clamp-2 ${summary.endsWith(NOTHING) ? 'font-normal text-ink-mute' : ''}`}>
                {summary}
              </span>
              {about}
            </span>
          }
          className="-mt-1 border-t-0 pt-0 pb-2"
        >
          {user.email && <p className="pb-3 text-small text-ink-soft wrap-anywhere">{user.email}</p>}
          {readable.map((update) => (
            <div key={update.id} className="pb-4">
              <p className="pb-1 text-small font-medium">
                {typeOf(update)}, {timeOf(update.createdAt)}
              </p>
              <Changes changes={update.changes} />
              {notificationSent && <History subject={`health_update:${update.id}`} />}
            </div>
          ))}
        </Disclosure>
      )}
    </li>
  )
}

type Change = [field: string, change: { old: unknown; new: unknown }]

/** Conditions first. */
const changedIn = (changes: string): Change[] =>
  Object.entries<Change[1]>(JSON.parse(changes)).sort(([a], [b]) => Number(isCondition(b)) - Number(isCondition(a)))

const NOTHING = 'nothing to note'

/** `New questionnaire: Back problems`, what the first one says yes to; `Changed: Allergies, Pregnancy` afterwards. */
export function summaryOf({ changes, isFirst, updateType }: Pick<HealthUpdate, 'changes' | 'isFirst' | 'updateType'>) {
  const changed = changedIn(changes)
  const fields = changed.map(([field]) => field)
  if (!isFirst) return fields.length > 0 ? `Changed: ${fields.map(labelOf).join(', ')}` : 'Saved with no changes.'
  if (fields.length === 0) return 'No answers given.'
  if (updateType !== 'questionnaire_updated') return 'New emergency contact'
  const noted = changed.filter(isWorthNoting)
  return `New questionnaire: ${noted.map(([field]) => labelOf(field)).join(', ') || NOTHING}`
}

/** A condition, an illness or a medication; not habits, contacts and consents. */
const isCondition = (field: string) => /^(pregnancy|has|current|allergies|previous|chronic)/.test(field)

function isWorthNoting([field, { new: answer }]: Change): boolean {
  if (field === 'pregnancyStatus') return answer === 'pregnant' || answer === 'postnatal'
  return isCondition(field) && (answer === true || (typeof answer === 'string' && answer.trim() !== ''))
}

export function Changes({ changes }: Pick<HealthUpdate, 'changes'>) {
  const changed = changedIn(changes)
  return (
    <dl className="grid gap-x-8 gap-y-2 text-small/even sm:grid-cols-2">
      {changed.map(([field, { old, new: now }]) => (
        <div key={field}>
          <dt className="text-ink-mute">{labelOf(field)}</dt>
          <dd className="whitespace-pre-line wrap-anywhere">
            <span className="text-ink-mute">{answerInWords(field, old)}</span> →{' '}
            <span className="font-medium">{answerInWords(field, now)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Which admin read whose health data and when; loaded when opened. `search`: the member. */
function AccessLog({ search }: { search: string }) {
  return (
    <Disclosure label={<>Access log{search && `: ${search}`}</>} large className="mt-12">
      <Reads key={search} search={search} />
    </Disclosure>
  )
}

const WHAT: Record<HealthRead['what'], string> = {
  health_updates: 'Changes in this list',
  session_notes: 'Notes next to a session',
  emergency_contact: 'Emergency contact',
  answers: 'All answers',
}

/** A name, or for a deleted account the start of its id, to distinguish them. */
function nameOf({ id, firstName, lastName }: HealthRead['member'], gone: string): string {
  if (firstName !== null) return `${firstName} ${lastName}`
  return id ? `${gone} (${id.slice(0, 8)})` : gone
}

function Reads({ search }: { search: string }) {
  const paging = usePage()
  const reads = useQuery({
    ...healthApi.listHealthReads.pageOptions({ query: { ...paging.params, search: search || undefined } }),
    ...READ_AGAIN,
  })
  return (
    <PagedView
      query={reads}
      failed="The access log could not be loaded."
      paging={paging}
      empty={<p className="py-3 text-ink-soft">No one has read any{search ? ' of this' : ''} health data yet.</p>}
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

/** What the nightly retention job erased, in numbers; loaded when opened. */
function RetentionLog() {
  const { contactYears, healthMonths, financialYears, recordMonths } = studio.policies.retention
  return (
    <Disclosure label="Erased by the privacy policy" large className="mt-4">
      <p className="mt-2 mb-4 max-w-[70ch] text-small/normal text-ink-soft">
        Every night we erase data past its time limit: accounts {contactYears} years after the last class, health
        information {healthMonths} months after it, purchases after {financialYears} years, these records after{' '}
        {recordMonths} months. Members with a valid pass, an upcoming booking, or an open dispute or complaint are left
        out.
      </p>
      <Runs />
    </Disclosure>
  )
}

function Runs() {
  const paging = usePage()
  const runs = useQuery(privacyApi.listRetentionRuns.pageOptions({ query: paging.params }))
  return (
    <PagedView
      query={runs}
      failed="The log could not be loaded."
      paging={paging}
      empty={<p className="py-3 text-ink-soft">No run yet.</p>}
    >
      {(rows) => (
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
      )}
    </PagedView>
  )
}
