import { formatInstant } from '#foundation/instants.ts'
import type { StudioMessage } from '#mailings/contract.ts'
import { useMessage, useMessages } from '#mailings/web/messages.ts'
import { Badge } from '#ui/badge.tsx'
import { TextLink } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { PagedView, usePage } from '#ui/pager.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { MemberLink } from '../users/member-details.tsx'
import { nameOf } from './recipients.tsx'
import { EmailPicturesShown } from './send-dialog.tsx'

export function SentMessages() {
  const paging = usePage()
  return (
    <Section title="Sent" className="mt-16">
      <PagedView
        query={useMessages(paging.params)}
        failed="The sent messages could not be loaded."
        paging={paging}
        empty={<p className="border-t border-line py-5 text-ink-soft">No messages have been sent yet.</p>}
      >
        {(rows) => (
          <ul className="border-t border-line">
            {rows.map((message) => (
              <Sent key={message.id} message={message} />
            ))}
          </ul>
        )}
      </PagedView>
    </Section>
  )
}

function Sent({ message }: { message: StudioMessage }) {
  const { subject, audience, kind, sentAt, sentBy } = message
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="font-medium wrap-anywhere">{subject}</p>
          <p className="text-small wrap-anywhere text-ink-soft">
            {audience} · {kind === 'marketing' ? 'News and offers' : 'Service'}
          </p>
          <p className="text-small text-ink-mute">
            {formatInstant(sentAt)} by {sentBy ?? 'a former admin'}
          </p>
        </div>
        <p className="flex flex-wrap items-center gap-2 text-small">
          <Badge tone={toneOf(message)}>{outcomeOf(message)}</Badge>
        </p>
      </div>
      <Disclosure label="Message and outcome" className="border-t-0! pt-0!">
        <Details id={message.id} />
      </Disclosure>
    </li>
  )
}

/** `9 of 12 arrived, 1 did not, 2 on their way`. Arrived: accepted by the mail server. */
function toneOf({ failed, queued }: StudioMessage) {
  if (failed > 0) return 'warn'
  return queued > 0 ? 'info' : 'ok'
}

function outcomeOf({ recipients, handedOver, failed, queued, leftOut }: StudioMessage): string {
  const erased = recipients - handedOver - failed - queued - leftOut
  const rest = [
    failed > 0 && `${failed} did not`,
    queued > 0 && `${queued} on ${queued === 1 ? 'its' : 'their'} way`,
    leftOut > 0 && `${leftOut} left out`,
    erased > 0 && `${erased} erased since`,
  ].filter(Boolean)
  return [`${handedOver} of ${recipients} arrived`, ...rest].join(', ')
}

function Details({ id }: { id: number }) {
  return (
    <QueryView query={useMessage(id)} failed="This message could not be loaded.">
      {({ text, pictures, notReached, leftOut }) => (
        <div className="grid gap-4 py-2 text-small/normal">
          <p className="max-w-[66ch] wrap-anywhere whitespace-pre-line text-ink-soft">{text}</p>
          <EmailPicturesShown pictures={pictures} />
          {leftOut > 0 && (
            <p className="text-ink-mute">Left out: people who unsubscribed before it was sent to them.</p>
          )}
          {notReached.length > 0 && (
            <section aria-label="Did not arrive">
              <h3 className="font-medium">Did not arrive</h3>
              <ul className="mt-1 grid gap-2">
                {notReached.map((person) => (
                  <li key={person.userId ?? person.email} className="wrap-anywhere">
                    {person.userId ? (
                      <MemberLink inText id={person.userId}>
                        {nameOf(person)}
                      </MemberLink>
                    ) : (
                      nameOf(person)
                    )}
                    <span className="block text-ink-soft">
                      {[person.email, person.phone].filter(Boolean).join(', ')}
                    </span>
                    {person.reason && <span className="block text-ink-mute">“{person.reason}”</span>}
                  </li>
                ))}
              </ul>
              <p className="mt-2 text-ink-mute">
                Correct an address in Users; then send it again from the <TextLink to="/admin">Overview</TextLink>.
              </p>
            </section>
          )}
        </div>
      )}
    </QueryView>
  )
}
