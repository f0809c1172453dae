import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatDay } from '#foundation/dates.ts'
import { formatInstantDate } from '#foundation/instants.ts'
import type { Prompted, Prompts, WeekClass } from '#mailings/contract-lists.ts'
import { isNudge, LIST_NAMES, LISTS, type ListName } from '#mailings/rules.ts'
import { FRESH, mailingsApi, writeTo } from '#mailings/web/messages.ts'
import { isFull } from '#timetable/rules.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { PagedView, usePage } from '#ui/pager.tsx'
import { QueryView, ReadFailed } from '#ui/query-view.tsx'
import { BookForMemberDialog } from '../bookings/book-for-member.tsx'
import { BookForDialog } from '../users/book-for-dialog.tsx'
import { GiftCreditsDialog } from '../users/gift-credits-dialog.tsx'

/** Free places of the week and members worth a message. Each list unfolds. */
export function Prompting({ query }: { query: UseQueryResult<Prompts> }) {
  if (query.isError) return <ReadFailed title="The lists could not be loaded." onAgain={query.refetch} />
  // The page is shown before the counts are there, and does not move when they arrive.
  const week = query.data?.week
  const lists = query.data?.lists
  return (
    <section aria-labelledby="prompting" className="mt-12">
      <h2 id="prompting" className="title mb-3">
        Worth a look
      </h2>
      <Disclosure
        label={`The next seven days${week ? `: ${week.taken} of ${week.places} places taken` : ''}`}
        className="pb-2"
      >
        <Week />
      </Disclosure>
      {LISTS.map((list) => (
        <Disclosure key={list} label={`${LIST_NAMES[list]}${lists ? `: ${lists[list]}` : ''}`} className="pb-2">
          <People list={list} />
        </Disclosure>
      ))}
    </section>
  )
}

function Week() {
  const [adding, setAdding] = useState<number>()
  return (
    <QueryView
      query={useQuery({ ...mailingsApi.listWeek.queryOptions(), ...FRESH })}
      failed="The week could not be loaded."
    >
      {(classes) =>
        classes.length === 0 ? (
          <Nobody>No classes in the next seven days.</Nobody>
        ) : (
          <ul>
            {classes.map((one) => (
              <ClassLine key={one.id} one={one} onAdd={() => setAdding(one.id)} />
            ))}
            {adding !== undefined && <BookForMemberDialog classId={adding} onClose={() => setAdding(undefined)} />}
          </ul>
        )
      }
    </QueryView>
  )
}

function ClassLine({ one, onAdd }: { one: WeekClass; onAdd: () => void }) {
  const { title, date, startTime, bookedCount, maxParticipants, people } = one
  return (
    <Line
      head={`${formatDay(date)}, ${startTime}`}
      fact={`${title} · ${bookedCount} of ${maxParticipants}${people.length > 0 ? ` · ${people.map(nameOf).join(', ')}` : ''}`}
    >
      {!isFull(one) && (
        <Button
          variant="secondary"
          small
          aria-label={`Add somebody to ${title} on ${formatDay(date)} at ${startTime}`}
          onClick={onAdd}
        >
          Add somebody
        </Button>
      )}
    </Line>
  )
}

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`.trim()

const EMPTY: Record<ListName, string> = {
  expiring: 'No credits run out in the next 14 days.',
  last_credit: 'Nobody is down to their last credit.',
  not_seen: 'Everybody has been here recently or is booked to come.',
  health_missing: 'Everybody who is booked has filled in the health form.',
}

function People({ list }: { list: ListName }) {
  const paging = usePage()
  const [doing, setDoing] = useState<Prompted>()
  const close = () => setDoing(undefined)
  const user = doing && { ...doing, id: doing.userId }
  const prompted = useQuery({
    ...mailingsApi.listPrompted.pageOptions({ query: { list, ...paging.params } }),
    ...FRESH,
  })
  return (
    <PagedView
      query={prompted}
      failed="The list could not be loaded."
      paging={paging}
      empty={<Nobody>{EMPTY[list]}</Nobody>}
    >
      {(people) => (
        <>
          <ul>
            {people.map((person) => (
              <Line
                key={person.userId}
                head={
                  <Link to={`/admin?tab=Users&user=${person.userId}`} className="link">
                    {nameOf(person)}
                  </Link>
                }
                fact={factOf(list, person)}
              >
                <Action list={list} person={person} onDo={() => setDoing(person)} />
              </Line>
            ))}
          </ul>
          <p className="mt-3">
            <Link to={writeTo({ list })} className="link inline-flex min-h-11 items-center text-[0.9375rem]">
              {isNudge(list) ? 'Message those who agreed to news' : 'Message all of them'}
            </Link>
          </p>
          {user && list === 'expiring' && <BookForDialog user={user} onClose={close} />}
          {user && list === 'not_seen' && <GiftCreditsDialog user={user} onClose={close} />}
        </>
      )}
    </PagedView>
  )
}

/** One action: book for them, gift credits, or message them if they have agreed to it. */
function Action({ list, person, onDo }: { list: ListName; person: Prompted; onDo: () => void }) {
  const name = nameOf(person)
  if (list === 'expiring' || list === 'not_seen') {
    const label = list === 'expiring' ? 'Book a class' : 'Gift Credits'
    return (
      <Button variant="secondary" small aria-label={`${label} for ${name}`} onClick={onDo}>
        {label}
      </Button>
    )
  }
  if (isNudge(list) && !person.mayNudge) {
    return <span className="text-[0.875rem] text-ink-mute">Has not agreed to news</span>
  }
  return (
    <ButtonLink
      variant="secondary"
      small
      to={writeTo({ userIds: [person.userId] }, isNudge(list) ? 'marketing' : 'service')}
      aria-label={`Message ${name}`}
    >
      Message
    </ButtonLink>
  )
}

function factOf(list: ListName, { credits, at }: Prompted): string {
  const day = formatInstantDate(at)
  switch (list) {
    case 'expiring':
      return `${credits === 1 ? '1 credit' : `${credits} credits`}, until ${day}`
    case 'last_credit':
      return `Valid until ${day}`
    case 'not_seen':
      return `Last here on ${day}`
    case 'health_missing':
      return `Comes on ${day}`
  }
}

function Nobody({ children }: { children: string }) {
  return <p className="py-2 text-[0.9375rem] text-ink-soft">{children}</p>
}

function Line({ head, fact, children }: { head: ReactNode; fact: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0">
      <div className="min-w-0 flex-1 basis-40 [overflow-wrap:anywhere]">
        <p className="font-medium">{head}</p>
        <p className="text-[0.9375rem] text-ink-soft">{fact}</p>
      </div>
      {children}
    </li>
  )
}
