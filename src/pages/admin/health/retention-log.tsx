import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#foundation/instants.ts'
import { privacyApi } from '#privacy/web/api.ts'
import { studio } from '#studio.ts'
import { Disclosure } from '#ui/disclosure.tsx'
import { PagedView, pageParams } from '#ui/pager.tsx'
import { Rows } from '#ui/rows.tsx'

/** What the nightly retention job erased: counts, nothing of whom. Asked for when it is opened. */
export function RetentionLog() {
  const { contactYears, healthMonths, financialYears, recordMonths } = studio.policies.retention
  return (
    <Disclosure label="Erased by the privacy policy" large className="mt-4">
      <p className="mt-2 mb-4 max-w-[70ch] text-[0.9375rem]/[1.5] text-ink-soft">
        Every night what is over is erased: accounts {contactYears} years after the last class, health information{' '}
        {healthMonths} months after it, purchases after {financialYears} years, these records after {recordMonths}{' '}
        months. Never of somebody with a valid pass, a booking ahead, or an open dispute or complaint.
      </p>
      <Runs />
    </Disclosure>
  )
}

function Runs() {
  const [page, setPage] = useState(1)
  const query = pageParams(page)
  const runs = useQuery({
    ...privacyApi.listRetentionRuns.pageOptions({ query }),
  })
  return (
    <PagedView
      query={runs}
      failed="The log could not be loaded."
      page={page}
      onTurn={setPage}
      empty={<p className="py-3 text-ink-soft">The first run is still to come.</p>}
    >
      {(rows) => (
        <Rows
          label="Erased by the privacy policy"
          rows={rows}
          keyOf={(run) => run.id}
          columns={[
            { head: 'When', cell: ({ ranAt }) => formatInstant(ranAt) },
            { head: 'Accounts', cell: ({ members }) => members, numeric: true },
            { head: 'Health information', cell: ({ healthRecords }) => healthRecords, numeric: true },
            { head: 'Purchases', cell: ({ purchases }) => purchases, numeric: true },
            { head: 'Record lines', cell: ({ recordLines }) => recordLines, numeric: true },
            { head: 'Failed', cell: ({ failures }) => failures || 'None', numeric: true },
          ]}
        />
      )}
    </PagedView>
  )
}
