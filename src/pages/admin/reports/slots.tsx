import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { WEEKDAYS } from '#foundation/dates.ts'
import { insightsApi } from '#insights/web/api.ts'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { Download } from './download.tsx'
import { Table } from './table.tsx'

const HEADS = ['Class', 'Fill', 'Classes', 'Places', 'Booked', 'Came', 'No-show', 'Cancelled', 'Cancelled late']

/** How full the classes of each weekday and start time were, and how many bookings were cancelled. */
export function SlotFigures({ from, to }: { from: string; to: string }) {
  const slots = useQuery({
    ...insightsApi.listSlots.queryOptions({ query: { from, to } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return (
    <Section title="Fill rate by class" level="h3" className="mt-12">
      <QueryView query={slots} failed="The figures could not be loaded." empty="No classes in this period">
        {(all) => (
          <>
            <Table
              title="Fill rate by class"
              heads={HEADS}
              rows={all.map((slot) => [
                `${WEEKDAYS[slot.weekday - 1]} ${slot.startTime}`,
                `${slot.fillPercent}%`,
                slot.classes,
                slot.places,
                slot.booked,
                slot.came,
                slot.noShow,
                slot.cancelled,
                slot.cancelledLate,
              ])}
            />
            <p className="mt-3 mb-4 text-small text-ink-mute">
              Classes that took place. Cancelled late means that the credit was kept. A move to another class counts as
              cancelled.
            </p>
            <Download href={`/api/admin/slots.csv?${new URLSearchParams({ from, to })}`}>
              Fill rate by class (CSV)
            </Download>
          </>
        )}
      </QueryView>
    </Section>
  )
}
