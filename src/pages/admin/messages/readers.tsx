import type { UseQueryResult } from '@tanstack/react-query'
import { phoneLink } from '#facts/rules.ts'
import { many } from '#foundation/many.ts'
import type { MessagePreview, Person } from '#mailings/contract.ts'
import type { Reason } from '#mailings/rules.ts'
import { Button } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { toast } from '#ui/toast.ts'

/** `1 person`, `12 people`. */
export const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en-GB')} people`)

export const WHY: Record<Reason, string> = {
  blocked: 'are blocked',
  not_opted_in: 'have not agreed to news and offers',
  objected: 'want no news and offers',
  address_refused: 'have an address that takes no email',
}

/** The recipients with their addresses to copy, and who is left out. */
export function Readers({ query, isChosen }: { query: UseQueryResult<MessagePreview>; isChosen: boolean }) {
  return (
    <section aria-labelledby="readers" className="min-w-0 rounded-card bg-linen px-5 py-5 sm:px-7 lg:self-start">
      <h2 id="readers" className="title">
        Who gets it
      </h2>
      {isChosen ? (
        <QueryView query={query} failed="The recipients could not be loaded.">
          {(found) => <Found found={found} />}
        </QueryView>
      ) : (
        <p className="mt-2 text-[0.9375rem] text-ink-soft">Choose who it is for, and they are listed here.</p>
      )}
    </section>
  )
}

function Found({ found: { audience, recipients, people, leftOut } }: { found: MessagePreview }) {
  const phones = people.flatMap(({ phone }) => (phone ? [phone] : []))
  return (
    <>
      <p role="status" className="mt-2">
        {peopleOf(recipients)} <span className="text-ink-soft">· {audience}</span>
      </p>
      {people.length > 0 && (
        <>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button
              variant="secondary"
              small
              onClick={() =>
                copy(
                  people.map(({ email }) => email),
                  'address',
                )
              }
            >
              Copy addresses
            </Button>
            {phones.length > 0 && (
              <Button variant="secondary" small onClick={() => copy(phones, 'number')}>
                Copy phone numbers
              </Button>
            )}
          </div>
          <Disclosure label="Names, addresses and phone numbers" className="mt-4">
            <People people={people} count={recipients} />
          </Disclosure>
        </>
      )}
      {leftOut.map(({ reason, count, people: those }) => (
        <Disclosure key={reason} label={`${peopleOf(count)} ${wordsFor(reason, count)}`} className="mt-2">
          <People people={those} count={count} />
        </Disclosure>
      ))}
    </>
  )
}

/** The verb agrees with the number. */
const wordsFor = (reason: Reason, count: number) =>
  count === 1 ? WHY[reason].replace(/^have/, 'has').replace(/^want /, 'wants ') : WHY[reason]

export const nameOf = ({ firstName, lastName, email }: Pick<Person, 'firstName' | 'lastName' | 'email'>) =>
  `${firstName} ${lastName}`.trim() || email

function People({ people, count }: { people: readonly Person[]; count: number }) {
  return (
    <>
      <ul className="grid gap-2 py-2 text-[0.9375rem]/[1.4]">
        {people.map((person) => (
          <li key={person.userId ?? person.email} className="[overflow-wrap:anywhere]">
            {nameOf(person)}
            <span className="block text-ink-soft">{person.email}</span>
            {person.phone && (
              <a href={phoneLink(person.phone)} className="link">
                {person.phone}
              </a>
            )}
          </li>
        ))}
      </ul>
      {count > people.length && <p className="text-[0.9375rem] text-ink-mute">The first {people.length} are listed.</p>}
    </>
  )
}

/** If the browser denies the clipboard, the list below can be copied by hand. */
async function copy(texts: readonly string[], what: 'address' | 'number'): Promise<void> {
  try {
    await navigator.clipboard.writeText(texts.join(', '))
    toast({
      title: 'Copied',
      description: what === 'address' ? many(texts.length, what, 'addresses') : many(texts.length, what),
    })
  } catch {
    toast({ title: 'Not copied', description: 'Your browser does not allow it. They are listed below.' })
  }
}
