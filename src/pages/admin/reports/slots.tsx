import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { many } from '#foundation/collections.ts'
import { WEEKDAYS } from '#foundation/dates.ts'
import { insightsApi } from '#insights/web/api.ts'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { Download } from './download.tsx'
import { Table } from './table.tsx'

const HEADS = ['Class', 'Fill', 'Booked', 'Came', 'Cancelled']

const Cell = ({ of, note }: { of: string | number; note: string | false }) => (
  <>
    {of} {note && <span className="text-fine text-ink-mute max-sm:block">{note}</span>}
  </>
)

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
              hasLongNames
              heads={HEADS}
              rows={all.map((slot) => [
                `${WEEKDAYS[slot.weekday - 1]} ${slot.startTime}`,
                `${slot.fillPercent}%`,
                <Cell
                  key="booked"
                  of={`${slot.booked} of ${slot.places}`}
                  note={`in ${many(slot.classes, 'class', 'classes')}`}
                />,
                <Cell key="came" of={slot.came} note={slot.noShow > 0 && `(${many(slot.noShow, 'no-show')})`} />,
                <Cell
                  key="cancelled"
                  of={slot.cancelled + slot.cancelledLate}
                  note={slot.cancelledLate > 0 && `(${slot.cancelledLate} late)`}
                />,
              ])}
            />
            <p className="mt-3 mb-4 text-small text-ink-mute">
              Classes that took place. Late means that the credit was kept. A move to another class counts as cancelled.
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
