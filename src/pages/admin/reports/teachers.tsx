import type { Report } from '#insights/contract.ts'
import { Section } from '#ui/section.tsx'
import { Table } from './table.tsx'

const HEADS = ['Teacher', 'Classes', 'Taken over', 'Places', 'Booked', 'Came', 'No-show']

/** What each teacher has taught; nothing if one teacher has taught all. */
export function TeacherFigures({ rows }: { rows: Report['byTeacher'] }) {
  if (rows.length < 2) return null
  return (
    <Section title="By teacher" level="h3" className="mt-12">
      <Table
        title="By teacher"
        heads={HEADS}
        rows={rows.map((row) => [
          row.teacher,
          row.classes,
          row.takenOver,
          row.places,
          row.booked,
          row.came,
          row.noShow,
        ])}
      />
      <p className="mt-3 text-small text-ink-mute">
        Classes that took place. Taken over means that another teacher was to teach them.
      </p>
    </Section>
  )
}
