import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fullName } from '#accounts/rules.ts'
import { many } from '#foundation/collections.ts'
import { formatDay } from '#foundation/dates.ts'
import { formatInstantDate, today } from '#foundation/instants.ts'
import type { Prompted, WeekClass } from '#mailings/contract.ts'
import { expiringUntil, isNudge, LIST_NAMES, LISTS, type ListName } from '#mailings/rules.ts'
import { ASK_FOR_REVIEW, askForReviewOf, FRESH, mailingsApi, writeTo } from '#mailings/web/messages.ts'
import { isFull } from '#timetable/rules.ts'
import { ButtonLink, LineLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { PagedView, usePage } from '#ui/pager.tsx'
import { QueryView, ReadFailed } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { Section } from '#ui/section.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { present } from '#ui/use-now.ts'
import { MemberLink } from '../users/member-details.tsx'
import { BookForDialog, BookForMemberDialog, ExpiringPassesDialog, GiftCreditsDialog } from './dialogs.ts'

/** What the owner may act on; at the end of the page, as it is read last. */
export function Prompts() {
  const query = useQuery({ ...mailingsApi.getPrompts.queryOptions(), ...FRESH })
  if (query.isError)
    return <ReadFailed title="The lists could not be loaded." error={query.error} onAgain={query.refetch} />
  const { week, lists, withNewHealth = 0 } = query.data ?? {}
  return (
    <Section title="Worth a look">
      <Disclosure
        label={`The next seven days${week ? `: ${week.taken} of ${week.places} places taken` : ''}`}
        className="pb-2"
      >
        <Week />
      </Disclosure>
      {lists && <Lists counts={lists} />}
      {withNewHealth > 0 && (
        <p className="border-t border-line py-2">
          <LineLink to="/admin?tab=Health+Updates" className="text-small font-medium">
            {many(withNewHealth, 'member')} with new health updates
          </LineLink>
        </p>
      )}
    </Section>
  )
}

/** The lists that had someone on them when the page opened. */
function Lists({ counts }: { counts: Record<ListName, number> }) {
  const [shown] = useState(() => LISTS.filter((list) => counts[list] > 0))
  return shown.map((list) => (
    <Disclosure key={list} label={`${LIST_NAMES[list]}: ${counts[list]}`} className="pb-2">
      <People list={list} />
    </Disclosure>
  ))
}

function Week() {
  const { dialog, open } = useDialog()
  const week = useQuery({ ...mailingsApi.listWeek.queryOptions(), ...FRESH })
  const add = (classId: number) => open(BookForMemberDialog, { classId })
  return (
    <QueryView query={week} failed="The week could not be loaded.">
      {(classes) =>
        classes.length === 0 ? (
          <Empty>No classes in the next seven days.</Empty>
        ) : (
          <ul>
            {classes.map((c) => (
              <Line key={c.id} head={`${formatDay(c.date)}, ${c.startTime}`} fact={bookedOf(c)}>
                {!isFull(c) && (
                  <RowButton
                    label="Add someone"
                    name={`Add someone to ${c.title} on ${formatDay(c.date)} at ${c.startTime}`}
                    onClick={() => add(c.id)}
                  />
                )}
              </Line>
            ))}
            {dialog}
          </ul>
        )
      }
    </QueryView>
  )
}

const bookedOf = ({ title, bookedCount, maxParticipants, people }: WeekClass) =>
  [title, `${bookedCount} of ${maxParticipants}`, people.map(fullName).join(', ')].filter(Boolean).join(' · ')

function People({ list }: { list: ListName }) {
  const paging = usePage()
  const { dialog, open } = useDialog()
  const prompted = useQuery({
    ...mailingsApi.listPrompted.pageOptions({ query: { list, ...paging.params } }),
    ...FRESH,
  })
  const act = (person: Prompted) => {
    const user = { ...person, id: person.userId }
    const Dialog = list === 'expiring' ? BookForDialog : GiftCreditsDialog
    open(Dialog, { user })
  }
  const change = (person: Prompted) =>
    open(ExpiringPassesDialog, {
      user: { ...person, id: person.userId },
      until: today(expiringUntil(present())),
      open,
    })
  return (
    <PagedView
      query={prompted}
      failed="The list could not be loaded."
      paging={paging}
      empty={<Empty>No one is on this list any more.</Empty>}
    >
      {(people) => (
        <>
          <ul>
            {people.map((person) => (
              <Line
                key={person.userId}
                head={
                  <MemberLink inText id={person.userId}>
                    {fullName(person)}
                  </MemberLink>
                }
                fact={factOf(list, person)}
              >
                <Action list={list} person={person} onAct={() => act(person)} />
                {list === 'expiring' && (
                  <RowButton
                    label="Pause or extend"
                    name={`Pause or extend the pass of ${fullName(person)}`}
                    variant="quiet"
                    onClick={() => change(person)}
                  />
                )}
              </Line>
            ))}
          </ul>
          <p className="mt-3 flex flex-wrap gap-x-6">
            <LineLink to={writeTo({ list })} className="text-small">
              {isNudge(list) ? 'Message members who agreed to news' : 'Message all of them'}
              <span className="sr-only">: {LIST_NAMES[list]}</span>
            </LineLink>
            {isNudge(list) && (
              <LineLink to={askForReviewOf({ list })} className="text-small">
                {ASK_FOR_REVIEW}
                <span className="sr-only">: {LIST_NAMES[list]}</span>
              </LineLink>
            )}
          </p>
          {dialog}
        </>
      )}
    </PagedView>
  )
}

function Action({ list, person, onAct }: { list: ListName; person: Prompted; onAct: () => void }) {
  const name = fullName(person)
  if (list === 'expiring' || list === 'not_seen') {
    const label = list === 'expiring' ? 'Book a class' : 'Gift Credits'
    return <RowButton label={label} name={`${label} for ${name}`} onClick={onAct} />
  }
  if (isNudge(list) && !person.mayNudge) {
    return <span className="text-caption text-ink-mute">Has not agreed to news</span>
  }
  if (person.email === null) return <span className="text-caption text-ink-mute">No email address</span>
  const to = writeTo({ userIds: [person.userId] }, isNudge(list) ? 'marketing' : 'service')
  return (
    <ButtonLink variant="secondary" small to={to} aria-label={`Message ${name}`}>
      Message
    </ButtonLink>
  )
}

function factOf(list: ListName, { credits, at }: Prompted): string {
  const day = formatInstantDate(at)
  switch (list) {
    case 'expiring':
      return `${many(credits ?? 0, 'credit')}, until ${day}`
    case 'last_credit':
      return `Valid until ${day}`
    case 'used_up':
      return `Last booked on ${day}`
    case 'not_seen':
      return `Last here on ${day}`
    case 'health_missing':
      return `Booked on ${day}`
  }
}

function Empty({ children }: { children: string }) {
  return <p className="py-2 text-small text-ink-soft">{children}</p>
}

function Line({ head, fact, children }: { head: ReactNode; fact: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <p className="font-medium">{head}</p>
        <p className="text-small text-ink-soft">{fact}</p>
      </div>
      {children}
    </li>
  )
}
