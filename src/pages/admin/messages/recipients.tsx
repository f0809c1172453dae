import type { UseQueryResult } from '@tanstack/react-query'
import { fullName } from '#accounts/rules.ts'
import { phoneLink } from '#facts/rules.ts'
import { many } from '#foundation/collections.ts'
import type { MessagePreview, Person } from '#mailings/contract.ts'
import type { Reason } from '#mailings/rules.ts'
import { Disclosure } from '#ui/disclosure.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { Section } from '#ui/section.tsx'
import { toast } from '#ui/toast.ts'

export const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-GB')} people`)

const WHY: Record<Reason, readonly [string, string]> = {
  blocked: ['is blocked', 'are blocked'],
  not_opted_in: ['has not agreed to news and offers', 'have not agreed to news and offers'],
  objected: ['does not want news and offers', 'do not want news and offers'],
  no_address: ['has no email address: call them', 'have no email address: call them'],
  address_refused: ['has an address that does not accept email', 'have an address that does not accept email'],
}

/** `3 people have not agreed to news and offers`. */
export const leftOutText = ({ reason, count }: { reason: Reason; count: number }) =>
  `${peopleOf(count)} ${WHY[reason][count === 1 ? 0 : 1]}`

export function Recipients({ query, isChosen }: { query: UseQueryResult<MessagePreview>; isChosen: boolean }) {
  return (
    <Section title="Recipients" gap="" className="min-w-0 rounded-card bg-linen px-5 py-5 sm:px-7 lg:self-start">
      {isChosen ? (
        <QueryView query={query} failed="The recipients could not be loaded.">
          {(found) => <Found found={found} />}
        </QueryView>
      ) : (
        <p className="mt-2 text-small text-ink-soft">Choose recipients to see who will receive it.</p>
      )}
    </Section>
  )
}

function Found({ found: { audience, recipients, people, leftOut } }: { found: MessagePreview }) {
  const phones = people.flatMap(({ phone }) => (phone ? [phone] : []))
  const emails = people.flatMap(({ email }) => email ?? [])
  return (
    <>
      <p role="status" className="mt-2">
        {peopleOf(recipients)} <span className="text-ink-soft">· {audience}</span>
      </p>
      {people.length > 0 && (
        <>
          <div className="mt-3 flex flex-wrap gap-2">
            <RowButton label="Copy addresses" onClick={() => copy(emails, 'address', 'addresses')} />
            {phones.length > 0 && <RowButton label="Copy phone numbers" onClick={() => copy(phones, 'number')} />}
          </div>
          <Disclosure label="Names, addresses and phone numbers" className="mt-4">
            <People people={people} count={recipients} />
          </Disclosure>
        </>
      )}
      {leftOut.map((group) => (
        <Disclosure key={group.reason} label={leftOutText(group)} className="mt-2">
          <People people={group.people} count={group.count} />
        </Disclosure>
      ))}
    </>
  )
}

/** The name, or the address of a subscriber who is not a member. */
export const nameOf = (person: Pick<Person, 'firstName' | 'lastName' | 'email'>) =>
  fullName(person) || (person.email ?? '')

function People({ people, count }: { people: readonly Person[]; count: number }) {
  return (
    <>
      <ul className="grid gap-2 py-2 text-small/snug">
        {people.map((person) => (
          <li key={person.userId ?? person.email} className="wrap-anywhere">
            {nameOf(person)}
            {person.email && <span className="block text-ink-soft">{person.email}</span>}
            {person.phone && (
              <a href={phoneLink(person.phone)} className="link">
                {person.phone}
              </a>
            )}
          </li>
        ))}
      </ul>
      {count > people.length && <p className="text-small text-ink-mute">The first {people.length} are listed.</p>}
    </>
  )
}

/** If the browser denies the clipboard, the list below can be copied by hand. */
async function copy(texts: readonly string[], one: string, more?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(texts.join(', '))
    toast({ title: 'Copied', description: many(texts.length, one, more) })
  } catch {
    toast({ title: 'Not copied', description: 'Your browser does not allow copying. The list is below.' })
  }
}
