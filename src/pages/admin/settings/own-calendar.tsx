import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { OwnCalendar as Connected } from '#calendar/contract-own.ts'
import { FAILURE_TEXTS, unreadInWords } from '#calendar/rules.ts'
import { ownCalendarApi } from '#calendar/web/own-calendar.ts'
import { many } from '#foundation/collections.ts'
import { formatInstant } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { InlineForm } from '../dialog-form.tsx'
import { Hint, Section } from './sections.tsx'

const UNREAD_POLL_MS = 3000

/** The private address of the owner's calendar, which is saved on its own and never shown again. */
export function OwnCalendar() {
  const current = useQuery({
    ...ownCalendarApi.readOwnCalendar.queryOptions(),
    refetchInterval: ({ state }) => (state.data && !state.data.readAt && !state.data.failure ? UNREAD_POLL_MS : false),
  })
  return (
    <Section id="own-calendar" title="Your own calendar">
      <Hint>
        We mark classes that clash with your own calendar, and you can leave them out when you plan a term. We only keep
        when you are busy, never what you do. In Google Calendar, copy “Secret address in iCal format” from the
        calendar’s settings; in Apple or Outlook, publish the calendar and copy its link.
      </Hint>
      <QueryView query={current} failed="Your calendar could not be loaded.">
        {(calendar) => (
          <>
            {calendar && <State calendar={calendar} />}
            <AddressForm isConnected={calendar !== null} />
          </>
        )}
      </QueryView>
    </Section>
  )
}

function State({ calendar }: { calendar: Connected }) {
  const { host, readAt, failure, failingSince, unreadEvents, firstUnread } = calendar
  const remove = useAdminMutation({
    mutationFn: () => ownCalendarApi.removeOwnCalendar.call(),
    toasts: { success: 'Your calendar is no longer connected', failure: 'Failed to remove your calendar' },
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div role="status" className="min-w-0 wrap-anywhere">
        <p className="font-medium">Connected: {host}</p>
        <p className="text-small text-ink-soft">
          {readAt ? `Last read on ${formatInstant(readAt)}. We read it every 15 minutes.` : !failure && 'Reading it…'}
        </p>
        {failure && failingSince && (
          <Callout className="mt-3 p-4">
            <p>
              {FAILURE_TEXTS[failure]} It has failed since {formatInstant(failingSince)}. We keep trying.
            </p>
          </Callout>
        )}
        {unreadEvents > 0 && (
          <Callout className="mt-3 p-4">
            <p>{many(unreadEvents, 'event')} could not be read; the rest is used. The first reasons:</p>
            <ul className="mt-2 list-disc pl-5">
              {[...new Set(firstUnread.map(unreadInWords))].map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </Callout>
        )}
      </div>
      <Button variant="secondary" small runs={remove}>
        Remove
      </Button>
    </div>
  )
}

function AddressForm({ isConnected }: { isConnected: boolean }) {
  const form = useForm<{ address: string }>({ defaultValues: { address: '' } })
  const save = useAdminMutation({
    mutationFn: (body: { address: string }) => ownCalendarApi.setOwnCalendar.call({ body }),
    toasts: { success: 'Your calendar is connected', failure: 'Failed to connect your calendar' },
    onSuccess: () => form.reset(),
  })
  return (
    <InlineForm form={form} mutation={save} submit={isConnected ? 'Replace' : 'Connect'}>
      <TextField<{ address: string }>
        name="address"
        label={isConnected ? 'Another address' : 'Private address of your calendar'}
        type="url"
        autoComplete="off"
        help="Begins with https:// or webcal://. We keep it encrypted and never show it again."
        rules={{ required: 'Please paste the address of your calendar' }}
      />
    </InlineForm>
  )
}
