import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { keysOf } from '#foundation/collections.ts'
import { dateOr } from '#foundation/instants.ts'
import { insightsApi } from '#insights/web/api.ts'
import { KIND_OPTIONS } from '#insights/web/security-words.ts'
import { SECURITY_KINDS } from '#security/contract.ts'
import { studio } from '#studio.ts'
import { DateFilter } from '#ui/date-field.tsx'
import { PagedView, SearchBox, SelectFilter, usePaging } from '#ui/pager.tsx'
import { EmptyState } from '#ui/query-view.tsx'
import { SecurityLines } from './security-lines.tsx'

/** What the address asks for: `?view=security&kind=signed_in&from=2026-12-01`. */
function useFilter() {
  const [query] = useSearchParams()
  const date = (name: string) => dateOr(query.get(name), '') || undefined
  const kind = keysOf(SECURITY_KINDS).find((known) => known === query.get('kind'))
  return { kind, from: date('from'), to: date('to') }
}

/** Who came in, who was kept out and who looked at what: three records, read as one. */
export default function SecurityPage() {
  const paging = usePaging()
  const filter = useFilter()
  const query = { ...paging.params, ...filter }
  const record = useQuery({
    ...insightsApi.listSecurityRecord.pageOptions({ query }),
  })
  const isFiltered = Boolean(paging.search || filter.kind || filter.from || filter.to)
  return (
    <>
      <Link to="/admin?view=settings" className="link inline-flex min-h-11 items-center">
        Back to Studio settings
      </Link>
      <h1 className="mt-2 font-serif text-[2.25rem]/[1.05] tracking-[-0.01em]">Security record</h1>
      <p className="mt-3 max-w-[38em] text-ink-soft">
        Sign-ins and failed attempts, changes to who has access, and who read, downloaded, erased or refunded. Nothing
        here can be changed; after {studio.policies.retention.recordMonths} months it ends.
      </p>
      <div className="mt-8 mb-6 flex flex-wrap items-end gap-3">
        <SearchBox label="Search by name or email" search={paging.search} onSearch={paging.setSearch} />
        <div className="grid w-full grid-cols-2 gap-3 sm:flex sm:w-auto">
          <div className="max-sm:col-span-2">
            <SelectFilter
              label="What"
              value={filter.kind ?? ''}
              options={KIND_OPTIONS}
              onChange={(kind) => paging.filter({ kind })}
            />
          </div>
          <DateFilter
            label="From"
            value={filter.from ?? ''}
            max={filter.to}
            onChange={(from) => paging.filter({ from })}
          />
          <DateFilter label="To" value={filter.to ?? ''} min={filter.from} onChange={(to) => paging.filter({ to })} />
        </div>
      </div>
      <PagedView
        query={record}
        failed="The security record could not be loaded."
        page={paging.page}
        onTurn={paging.setPage}
        empty={<EmptyState title={isFiltered ? 'Nothing on record matches' : 'Nothing on record yet'} />}
      >
        {(lines) => <SecurityLines lines={lines} />}
      </PagedView>
    </>
  )
}
