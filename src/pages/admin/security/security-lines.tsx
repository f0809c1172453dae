import { Link } from 'react-router'
import { formatInstant } from '#foundation/instants.ts'
import type { SecurityLine } from '#insights/contract-security.ts'
import { detailsOf, nameOf } from '#insights/web/security-words.ts'
import { SECURITY_KINDS, SECURITY_OUTCOMES } from '#security/contract.ts'
import { Badge } from '#ui/badge.tsx'

/** Two lines each on a phone, a row of three at a desk: when, what, and whose it is. */
export function SecurityLines({ lines }: { lines: readonly SecurityLine[] }) {
  return (
    <ol aria-label="Security record" className="border-t border-line text-[0.9375rem]/[1.45]">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </ol>
  )
}

function Line({ line }: { line: SecurityLine }) {
  const { at, kind, outcome, from } = line
  const more = detailsOf(line)
  return (
    <li className="grid gap-x-6 gap-y-0.5 border-b border-line py-3 hover:bg-linen/60 md:grid-cols-[9.5rem_minmax(0,1fr)_minmax(0,1fr)] md:px-3">
      <span className="whitespace-nowrap text-ink-mute tabular-nums max-md:order-3">
        {formatInstant(at)}
        {from && <span className="md:hidden"> · {from}</span>}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium">{SECURITY_KINDS[kind]}</span>
        {outcome !== 'done' && (
          <span className="ml-2">
            <Badge tone="warn">{SECURITY_OUTCOMES[outcome]}</Badge>
          </span>
        )}
        {more !== '' && <span className="text-ink-soft md:block"> {more}</span>}
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere] max-md:order-2">
        <Whose line={line} />
        {from && <span className="block text-ink-mute max-md:hidden">{from}</span>}
      </span>
    </li>
  )
}

/** Who did it and, where that is somebody else's, whose account it is about. */
function Whose({ line: { actor, subject } }: { line: SecurityLine }) {
  if (actor && subject && actor.id !== subject.id) {
    return (
      <>
        <Name of={actor} /> <span className="text-ink-mute">about</span> <Name of={subject} />
      </>
    )
  }
  const person = actor ?? subject
  return person ? <Name of={person} /> : <span className="text-ink-mute">Nobody we know</span>
}

function Name({ of: person }: { of: NonNullable<SecurityLine['actor']> }) {
  if (person.name === null) return <span className="text-ink-soft">{nameOf(person)}</span>
  return (
    <Link to={`/admin?tab=Users&user=${person.id}`} className="link">
      {person.name}
    </Link>
  )
}
