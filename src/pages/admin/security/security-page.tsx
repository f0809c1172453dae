import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { keysOf } from '#foundation/collections.ts'
import { dateOr, formatInstant } from '#foundation/instants.ts'
import { formatMoney } from '#foundation/money.ts'
import type { SecurityLine } from '#insights/contract-security.ts'
import { insightsApi } from '#insights/web/api.ts'
import { SECURITY_KINDS, SECURITY_OUTCOMES } from '#security/contract.ts'
import { studio } from '#studio.ts'
import { Badge } from '#ui/badge.tsx'
import { PagedView, SearchBox, SelectFilter, usePaging } from '#ui/pager.tsx'
import { DateRange } from '../date-range.tsx'
import { PageHead } from '../page-head.tsx'
import { MemberLink } from '../users/member-details.tsx'

/** The filters in the address: `?view=security&kind=signed_in&from=2026-12-01`. */
function useFilter() {
  const [query] = useSearchParams()
  const date = (name: string) => dateOr(query.get(name), '') || undefined
  const kind = keysOf(SECURITY_KINDS).find((known) => known === query.get('kind'))
  return { kind, from: date('from'), to: date('to') }
}

export default function SecurityPage() {
  const paging = usePaging()
  const filter = useFilter()
  const record = useQuery(insightsApi.listSecurityRecord.pageOptions({ query: { ...paging.params, ...filter } }))
  const isFiltered = Boolean(paging.search || filter.kind || filter.from || filter.to)
  return (
    <>
      <PageHead title="Security record" to="/admin?view=settings" back="Studio settings" />
      <p className="mt-3 max-w-[38em] text-ink-soft">
        Sign-ins and failed attempts, changes to who has access, and who read, downloaded or erased data or made
        refunds. Nobody can change the entries. We delete them after {studio.policies.retention.recordMonths} months.
      </p>
      <div className="mt-8 mb-6 flex flex-wrap items-end gap-3">
        <SearchBox label="Search by name or email" search={paging.search} onSearch={paging.setSearch} />
        <div className="grid w-full grid-cols-2 gap-3 sm:flex sm:w-auto">
          <div className="max-sm:col-span-2">
            <SelectFilter
              label="What"
              value={filter.kind ?? ''}
              options={KIND_OPTIONS}
              onChange={(kind) => paging.filter({ kind })}
            />
          </div>
          <DateRange {...filter} onChange={(name, date) => paging.filter({ [name]: date })} />
        </div>
      </div>
      <PagedView
        query={record}
        failed="The security record could not be loaded."
        paging={paging}
        empty={isFiltered ? 'Nothing on record matches' : 'Nothing on record yet'}
      >
        {(lines) => (
          <ol aria-label="Security record" className="border-t border-line text-small/even">
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        )}
      </PagedView>
    </>
  )
}

/** When, what and whose account: two lines on a phone, three columns on a large screen. */
function Line({ line }: { line: SecurityLine }) {
  const { at, kind, outcome, from } = line
  const more = detailsOf(line)
  return (
    <li className="grid gap-x-6 gap-y-0.5 border-b border-line py-3 hover:bg-linen/60 md:grid-cols-[9.5rem_minmax(0,1fr)_minmax(0,1fr)] md:px-3">
      <span className="whitespace-nowrap text-ink-mute tabular-nums max-md:order-3">
        {formatInstant(at)}
        {from && <span className="md:hidden"> · {from}</span>}
      </span>
      <span className="min-w-0 wrap-anywhere">
        <span className="font-medium">{SECURITY_KINDS[kind]}</span>
        {outcome !== 'done' && (
          <span className="ml-2">
            <Badge tone="warn">{SECURITY_OUTCOMES[outcome]}</Badge>
          </span>
        )}
        {more !== '' && <span className="text-ink-soft md:block"> {more}</span>}
      </span>
      <span className="min-w-0 wrap-anywhere max-md:order-2">
        <Whose line={line} />
        {from && <span className="block text-ink-mute max-md:hidden">{from}</span>}
      </span>
    </li>
  )
}

function Whose({ line: { actor, subject } }: { line: SecurityLine }) {
  if (actor && subject && actor.id !== subject.id) {
    return (
      <>
        <Name of={actor} /> <span className="text-ink-mute">about</span> <Name of={subject} />
      </>
    )
  }
  const person = actor ?? subject
  return person ? <Name of={person} /> : <span className="text-ink-mute">Unknown</span>
}

function Name({ of: person }: { of: NonNullable<SecurityLine['actor']> }) {
  if (person.name === null) return <span className="text-ink-soft">{nameOf(person)}</span>
  return (
    <MemberLink inText id={person.id}>
      {person.name}
    </MemberLink>
  )
}

const WORDS: Record<string, Record<string, string>> = {
  method: {
    password: 'password',
    passkey: 'passkey',
    totp: 'authenticator app',
    second_factor: 'password and second step',
    recovery_code: 'recovery code',
    mailed_link: 'emailed link',
    sign_up: 'signing up',
    command: 'command on the server',
  },
  why: {
    unknown_account: 'no such account',
    wrong_password: 'wrong password',
    no_password: 'no password set',
    unverified_address: 'address not confirmed',
    wrong_code: 'wrong code',
    out_of_date: 'expired',
    waiting: 'too many attempts',
    not_an_admin: 'not an admin',
    not_asked_again: 'had to confirm their identity',
  },
  scope: {
    pair: 'this account from this network',
    account: 'this account from anywhere',
    address: 'any account from this network',
  },
  factor: { passkey: 'passkey', totp: 'authenticator app', recovery_codes: 'recovery codes' },
  cause: {
    own_wish: 'at their request',
    studio: 'by the studio',
    command: 'by a command on the server',
    password: 'because of a new password',
    email: 'because of a new address',
    role: 'because rights changed',
    factor: 'because a second step changed',
    undone: 'because a change was undone',
    retention: 'by data retention',
  },
  what: {
    health_updates: 'changes in the list',
    session_notes: 'notes next to a session',
    emergency_contact: 'emergency contact',
    answers: 'all answers',
  },
}

/** The most important first. */
const ORDER = [
  ...['what', 'fields', 'amount', 'why', 'scope', 'waitSeconds', 'factor', 'sessions', 'cause'],
  ...['method', 'browser', 'system', 'isNew'],
]

/** Details other than who, when and where; may be empty. */
function detailsOf({ details, subjects }: SecurityLine): string {
  const given = ORDER.flatMap((field) => (field in details ? [[field, details[field]] as const] : []))
  const words = given.map(([field, value]) => {
    if (field === 'isNew') return value ? 'new browser or network' : ''
    if (field === 'waitSeconds') return `${Math.ceil(Number(value) / 60)} min`
    if (field === 'sessions') return `${value} ended`
    if (field === 'amount') return value === null ? '' : formatMoney(String(value))
    if (field === 'fields' && Array.isArray(value)) return value.map(plain).join(', ')
    return WORDS[field]?.[String(value)] ?? (value === null ? '' : String(value))
  })
  const all = subjects > 1 ? [`${subjects} members`, ...words] : words
  return all.filter((word) => word !== '').join(', ')
}

const plain = (field: string) =>
  field
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()

type Person = SecurityLine['actor']

/** A person's name; for a deleted account the start of its id. */
const nameOf = (person: NonNullable<Person>) => person.name ?? `An erased account (${person.id.slice(0, 8)})`

const KIND_OPTIONS: readonly (readonly [value: string, word: string])[] = [
  ['', 'Everything'],
  ...Object.entries(SECURITY_KINDS),
]
