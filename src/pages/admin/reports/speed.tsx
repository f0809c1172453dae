import { useQuery } from '@tanstack/react-query'
import { insightsApi } from '#insights/web/api.ts'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import { Table } from './table.tsx'

/** How fast pages were in visitors' browsers. */
export default function Speed() {
  const speed = useQuery(insightsApi.listVitals.queryOptions())
  return (
    <Section title="Speed" gap="" className="mt-12">
      <p className="mt-2 mb-4 max-w-[60ch] text-small/normal text-ink-mute">
        In visitors’ browsers in the last 28 days: three quarters of the visits were at least this fast. Good is up to
        2.5 seconds to see the page, 200 ms to answer a press, and 0.1 of movement. We do not record who the visitors
        were.
      </p>
      <QueryView query={speed} failed="The speed could not be loaded.">
        {(pages) =>
          pages.length === 0 ? (
            <p className="border-y border-line py-6 text-ink-soft">No visits measured yet.</p>
          ) : (
            <Table
              title="Speed"
              hasLongNames
              heads={['Page', 'Visits', 'Seen after', 'Answers after', 'Movement']}
              rows={pages.map(({ page, visits, LCP, INP, CLS }) => [
                page,
                visits,
                LCP === null ? '' : `${(LCP / 1000).toFixed(1)} s`,
                INP === null ? '' : `${Math.round(INP)} ms`,
                CLS === null ? '' : CLS.toFixed(2),
              ])}
            />
          )
        }
      </QueryView>
    </Section>
  )
}
