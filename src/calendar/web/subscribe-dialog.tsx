import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { apiClient } from '#foundation/api-client.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { toast, toastError } from '#ui/toast.ts'
import type * as contract from '../contract.ts'
import type { CalendarFeed } from '../contract.ts'

const SHOWS: Record<CalendarFeed['shows'], string> = {
  own_bookings: 'your bookings',
  studio: 'the studio’s classes with the names of members who come',
}

export default function SubscribeDialog({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
  const feed = useQuery(calendarApi.getCalendar.queryOptions())
  const renew = useNewLink()
  const end = useEndLink()
  const shown = SHOWS[isAdmin ? 'studio' : 'own_bookings']
  return (
    <Dialog
      onClose={onClose}
      title="Subscribe in your calendar"
      description={`A private link for your calendar app. It shows ${shown}. New, moved and cancelled bookings appear there automatically, usually within a few hours.`}
    >
      {renew.data ? (
        <>
          <NewLink url={renew.data.url} shown={shown} />
          <DialogActions>
            <Button variant="secondary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <QueryView query={feed} failed="Your calendar link could not be loaded.">
          {(current) => (
            <>
              {current && <Current feed={current} />}
              <DialogActions>
                {current && (
                  <Button variant="quiet" runs={end}>
                    End the link
                  </Button>
                )}
                <Button runs={renew}>{current ? 'Create a new link' : 'Create link'}</Button>
              </DialogActions>
            </>
          )}
        </QueryView>
      )}
    </Dialog>
  )
}

function Current({ feed }: { feed: CalendarFeed }) {
  const madeOn = formatLongDate(studioDate(Temporal.Instant.from(feed.createdAt)).toString())
  return (
    <p className="mt-5">
      You created a link on {madeOn}. It shows {SHOWS[feed.shows]}, and was visible only once. A new link replaces it: a
      calendar that uses the old one will stop updating.
    </p>
  )
}

function NewLink({ url, shown }: { url: string; shown: string }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="mt-6 grid gap-5">
      <TextField
        ref={field}
        label="Your calendar link"
        value={url}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        help={`It is shown only now, and any earlier link has ended. Anyone who has it can see ${shown}, so keep it to yourself.`}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => copy(url, field.current)}>Copy link</Button>
        <a href={url.replace(/^https?:/, 'webcal:')} className="btn btn-secondary">
          Open in calendar app
        </a>
      </div>
      <ul className="text-small text-ink-soft">
        <li>Apple: open it in your calendar app.</li>
        <li>Google: at Other calendars choose From URL.</li>
        <li>Outlook: Add calendar, Subscribe from web.</li>
      </ul>
    </div>
  )
}

/** Where a browser denies access to the clipboard, it selects the link to be copied by hand. */
async function copy(url: string, field: HTMLInputElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    toast({ title: 'Copied', description: 'Paste the link into your calendar.' })
  } catch {
    field?.focus()
    toast({ title: 'Not Copied', description: 'Please copy the selected link yourself.', tone: 'error' })
  }
}

function useNewLink() {
  return useMemberMutation({
    mutationFn: () => calendarApi.createCalendar.call(),
    onError: (error) => toastError(error, NOT_CREATED),
  })
}

function useEndLink() {
  return useMemberMutation({
    mutationFn: () => calendarApi.endCalendar.call(),
    onSuccess: ({ message }) => toast({ title: 'Success', description: message }),
    onError: (error) => toastError(error, NOT_ENDED),
  })
}

const NOT_CREATED = 'The link could not be created. Please try again.'
const NOT_ENDED = 'The link could not be ended. Please try again.'

const calendarApi = apiClient<typeof contract>('calendar', {
  createCalendar: 'POST /api/user/calendar',
  endCalendar: 'DELETE /api/user/calendar',
  getCalendar: 'GET /api/user/calendar',
})
