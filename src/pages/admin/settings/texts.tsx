import { useQuery } from '@tanstack/react-query'
import { many } from '#foundation/collections.ts'
import { messagesApi } from '#messages/web/api.ts'
import { NumberField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { Hint, Section } from './sections.tsx'

/** Text messages: the month's limit, and what this month cost. */
export function Texts() {
  return (
    <Section id="texts" title="Text messages">
      <Hint>
        We text members when a class within 48 hours is moved or cancelled, when a place is offered to them, and before
        a place they hold ends. They get the email too.
      </Hint>
      <Use />
      <NumberField
        name="texts.monthlyLimit"
        label="Most texts in a month"
        min={0}
        max={10_000}
        help="Once it is reached, members get the email only, and you’ll see it under Needs attention."
      />
    </Section>
  )
}

function Use() {
  const use = useQuery(messagesApi.getTextUse.queryOptions())
  return (
    <QueryView query={use} failed="This month’s texts could not be loaded.">
      {({ isOn, sent, cost, currency }) => (
        <p className="rounded-row bg-linen px-5 py-4 text-small/normal">
          {isOn
            ? `${many(sent, 'text')} this month${cost === null ? '' : `, ${inWords(cost, currency)} so far`}.`
            : 'Texts are off: no provider is set up on the server.'}
        </p>
      )}
    </QueryView>
  )
}

const inWords = (cost: string, currency: string | null) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency: currency ?? 'GBP' }).format(Number(cost))
