import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { apiClient } from '#foundation/api-client.ts'
import { sentenceOf } from '#foundation/call.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { toast } from '#ui/toast.ts'
import type * as contract from '../contract.ts'
import type { CalendarFeed } from '../contract.ts'

const SHOWS: Record<CalendarFeed['shows'], string> = {
  own_bookings: 'your bookings',
  studio: 'the studio’s classes with the names of who comes',
}

/** A private address for one's own calendar: made, shown once, replaced, ended. */
export default function SubscribeDialog({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
  const feed = useQuery(calendarApi.getCalendar.queryOptions())
  const renew = useNewAddress()
  const end = useEndAddress()
  const shown = SHOWS[isAdmin ? 'studio' : 'own_bookings']
  return (
    <Dialog
      open
      onClose={onClose}
      title="Subscribe in your calendar"
      description={`A private address at which your calendar reads ${shown}. What is booked, moved or cancelled changes there by itself, usually within hours.`}
    >
      {renew.data ? (
        <>
          <NewAddress url={renew.data.url} shown={shown} />
          <DialogActions>
            <Button variant="secondary" onClick={onClose}>
              Done
            </Button>
          </DialogActions>
        </>
      ) : (
        <QueryView query={feed} failed="Your calendar address could not be looked up.">
          {(current) => (
            <>
              {current && <Current feed={current} />}
              <DialogActions>
                {current && (
                  <Button variant="quiet" busy={end.isPending} onClick={() => end.mutate()}>
                    End the address
                  </Button>
                )}
                <Button busy={renew.isPending} onClick={() => renew.mutate()}>
                  {current ? 'Make a new address' : 'Make an address'}
                </Button>
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
      You made an address on {madeOn}; it shows {SHOWS[feed.shows]}. Only then could it be seen. A new address ends it:
      a calendar that reads the old one stops changing.
    </p>
  )
}

function NewAddress({ url, shown }: { url: string; shown: string }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div className="mt-6 grid gap-5">
      <TextField
        ref={field}
        label="Your calendar address"
        value={url}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
        help={`It is shown only now, and any address before it has ended. Anyone who has it can see ${shown}, so keep it to yourself.`}
      />
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => copy(url, field.current)}>Copy address</Button>
        <a href={url.replace(/^https?:/, 'webcal:')} className="btn btn-secondary">
          Open in calendar app
        </a>
      </div>
      <ul className="text-[0.9375rem] text-ink-soft">
        <li>Apple: open it in your calendar app.</li>
        <li>Google: at Other calendars choose From URL.</li>
        <li>Outlook: Add calendar, Subscribe from web.</li>
      </ul>
    </div>
  )
}

/** Where the browser lets no page write the clipboard, the address is selected, ready to be copied by hand. */
async function copy(url: string, field: HTMLInputElement | null): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    toast({ title: 'Copied', description: 'Paste the address into your calendar.' })
  } catch {
    field?.focus()
    toast({ title: 'Not Copied', description: 'Please copy the selected address yourself.', tone: 'error' })
  }
}

/** Creates a new address. The reply is the only place that shows it. */
function useNewAddress() {
  return useMemberMutation({
    mutationFn: () => calendarApi.createCalendar.call(),
    // After an error too: it may have been created although the reply was lost, and then the old one has ended.
    stale: [calendarApi.getCalendar],
    onError: (error) => toast({ title: 'Error', description: sentenceOf(error, NOT_MADE), tone: 'error' }),
  })
}

/** Ends the address without a new one. */
function useEndAddress() {
  return useMemberMutation({
    mutationFn: () => calendarApi.endCalendar.call(),
    stale: [calendarApi.getCalendar],
    onSuccess: ({ message }) => toast({ title: 'Success', description: message }),
    onError: (error) => toast({ title: 'Error', description: sentenceOf(error, NOT_ENDED), tone: 'error' }),
  })
}

const NOT_MADE = 'The address could not be made. Please try again.'
const NOT_ENDED = 'The address could not be ended. Please try again.'

const calendarApi = apiClient<typeof contract>('calendar', {
  createCalendar: 'POST /api/user/calendar',
  endCalendar: 'DELETE /api/user/calendar',
  getCalendar: 'GET /api/user/calendar',
})
