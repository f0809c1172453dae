import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { many } from '#foundation/collections.ts'
import type { ClassesChange } from '#schedule/contract-emails.ts'
import { scheduleApi } from '#schedule/web/api.ts'
import { Button } from '#ui/button.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { previewOfTyped } from '#ui/refetch-shown.ts'

/** Shows, when asked, the emails that a change would send; `change` is what would be sent to save it. */
export function SeeTheEmail({ change }: { change: z.input<typeof ClassesChange> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="mt-2">
      <Button
        variant="quiet"
        small
        className="px-0"
        aria-expanded={isOpen}
        onClick={() => setOpen((wasOpen) => !wasOpen)}
      >
        {isOpen ? 'Hide the email' : 'See the email'}
      </Button>
      {isOpen && <Emails change={change} />}
    </div>
  )
}

function Emails({ change }: { change: z.input<typeof ClassesChange> }) {
  const preview = useQuery({
    ...scheduleApi.previewEmails.queryOptions({ body: change }),
    gcTime: 0,
    ...previewOfTyped,
  })
  return (
    <QueryView query={preview} failed="The email could not be loaded.">
      {({ people, toCall, emails }) => (
        <div className="mt-1 grid grid-cols-[minmax(0,1fr)] gap-3">
          <p className="text-small text-ink-soft">
            {people === 0 ? 'No emails will be sent.' : `We’ll email ${many(people, 'person', 'people')}.`}
            {toCall > 0 && ` ${many(toCall, 'person', 'people')} to call, as we have no email address.`}
          </p>
          {emails.map(({ count, to, subject, text }) => (
            <article
              key={subject}
              aria-label={subject}
              className="max-h-80 overflow-y-auto rounded-row border border-line bg-white px-4 py-3 text-ink wrap-anywhere"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard
              tabIndex={0}
            >
              <p className="text-caption text-ink-mute">
                To {to}
                {count > 1 && ` and ${count - 1} more like it`}
              </p>
              <h3 className="mt-1 font-medium">{subject}</h3>
              <p className="mt-2 whitespace-pre-line text-small/relaxed">{text}</p>
            </article>
          ))}
        </div>
      )}
    </QueryView>
  )
}
