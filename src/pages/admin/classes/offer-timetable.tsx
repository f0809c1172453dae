import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Slot } from '#facts/contract-timetable.ts'
import { factsApi, showFacts } from '#facts/web/api.ts'
import { formatLongDate } from '#foundation/dates.ts'
import { type SlotChange, withSlotChanged } from '#timetable/rules-planning.ts'
import { ConfirmChange } from '../dialog-form.tsx'

/** After several classes changed: offers to change the website's timetable too. Nothing if it does not differ. */
export default function OfferTimetableDialog({ change, onClose }: { change: SlotChange; onClose: () => void }) {
  const queries = useQueryClient()
  const studio = useQuery({ ...factsApi.readOwnStudio.queryOptions(), staleTime: 0 }).data
  const timetables = studio && withSlotChanged(studio.timetables, change)
  if (!studio || !timetables) return null
  const { before, after, from } = change
  return (
    <ConfirmChange
      title="Change the timetable on the website too?"
      text={
        after
          ? `The website shows ${nameOf(before)}. From ${formatLongDate(from)} it would show ${nameOf(after)}.`
          : `The website shows ${nameOf(before)}. From ${formatLongDate(from)} it would no longer show it.`
      }
      keep="Not now"
      confirm="Change the timetable"
      mutationFn={async () =>
        showFacts(queries, await factsApi.editStudio.call({ body: { timetables, ifVersion: studio.version } }))
      }
      toasts={{
        success: 'Saved. Every page will show it within a minute',
        failure: 'Failed to save the timetable',
      }}
      onClose={onClose}
    />
  )
}

const nameOf = ({ day, startTime, maxParticipants }: Slot) =>
  `${day} ${startTime} (${maxParticipants === 1 ? 'one-on-one' : 'duo'})`
