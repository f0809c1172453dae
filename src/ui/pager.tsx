import chevronLeft from '@lucide/icons/icons/chevron-left'
import chevronRight from '@lucide/icons/icons/chevron-right'
import searchIcon from '@lucide/icons/icons/search'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { useOpenDialogs } from './open-dialogs.tsx'
import { EmptyState, QueryView } from './query-view.tsx'
import { useShowAll } from './search-params.ts'

const PAGE_ROWS = 25
/** Rows of a page that a phone shows at first. */
const FIRST_FEW = 8
const TYPING_MS = 250

export const pageParams = (page: number) => ({ limit: PAGE_ROWS, offset: (page - 1) * PAGE_ROWS })

/** A list's search and page, kept in the address: `?search=…&page=2`. */
export function usePaging() {
  const [query, setQuery] = useSearchParams()
  const location = useLocation()
  const { pathname } = location
  /** The query last set here, which may not be rendered yet. */
  const requested = useRef('')
  const search = query.get('search') ?? ''
  const page = Math.max(1, Math.trunc(Number(query.get('page')) || 1))
  const change = (changes: Record<string, string | undefined>, replace = false) => {
    const next = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    requested.current = String(next)
    // The state may hold the entry of a dialog that opened while typing paused.
    setQuery(next, { replace, state: replace ? location.state : undefined, preventScrollReset: true })
  }
  /** Whether a navigation has left this list, though it is not rendered yet. */
  const isLeft = () => {
    const now = String(new URLSearchParams(window.location.search))
    return window.location.pathname !== pathname || ![String(query), requested.current].includes(now)
  }
  return {
    search,
    page,
    params: { ...pageParams(page), search: search || undefined },
    /** Starts a search at page 1, unless a navigation has left the list since it was typed. */
    setSearch: (words: string) => {
      if (!isLeft()) change({ search: words || undefined, page: undefined }, true)
    },
    setPage: (to: number) => change({ page: to > 1 ? String(to) : undefined }),
    /** Sets other parameters and goes to page 1. */
    filter: (changes: Record<string, string | undefined>) => change({ ...changes, page: undefined }, true),
  }
}

export function SearchBox({
  label,
  search,
  onSearch,
}: {
  label: string
  search: string
  onSearch: (words: string) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState(search)
  const { isAnyOpen } = useOpenDialogs()
  /** Searches started here that have not come back as `search`. */
  const sent = useRef<string[]>([])
  // Shows the current search, unless it was started here: more may have been typed since.
  useEffect(() => {
    const at = sent.current.indexOf(search)
    if (at < 0) setTyped(search)
    sent.current = at < 0 ? [] : sent.current.slice(at + 1)
  }, [search])
  useEffect(() => {
    const words = typed.trim()
    // A new list would take the dialog of one of its rows away, so the search waits until the dialog is closed.
    if (words === search || isAnyOpen) return
    const timer = setTimeout(() => {
      sent.current.push(words)
      onSearch(words)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  })
  return (
    <div className="relative w-full sm:w-auto sm:max-w-sm sm:min-w-60 sm:flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Icon
        of={searchIcon}
        size={18}
        className="pointer-events-none absolute top-1/2 left-4 -translate-y-1/2 text-ink-mute"
      />
      <input
        id={id}
        type="search"
        placeholder={label}
        value={typed}
        maxLength={255}
        onChange={(event) => setTyped(event.target.value)}
        className="input min-h-11 py-2 pl-11 [&::-webkit-search-cancel-button]:appearance-none"
      />
    </div>
  )
}

export function usePage() {
  const [page, setPage] = useState(1)
  return { page, setPage, params: pageParams(page) }
}

/** What `PagedView` and its `Rows` need to show the first few rows of a page on a phone, and all on request. */
export function useFirstFew() {
  const [isAll, showAll] = useShowAll()
  return {
    firstFew: isAll ? undefined : { count: FIRST_FEW, onMore: showAll },
    rowClass: (index: number) => (isAll || index < FIRST_FEW ? '' : 'max-md:hidden'),
  }
}

export type Paging = { page: number; setPage: (to: number) => void; setSearch?: (words: string) => void }

/** One page of a list: loading, failed with a retry, empty, or its rows with links to the other pages. */
export function PagedView<Row>({
  query,
  paging: { page, setPage, setSearch },
  empty,
  noMatches,
  onClear = () => setSearch?.(''),
  firstFew,
  children,
  ...words
}: {
  query: UseQueryResult<{ rows: Row[]; total: number; isMore: boolean }>
  failed: string
  loading?: string
  paging: Paging
  /** Shown if the list is empty; a string becomes an empty state. */
  empty: ReactNode
  /** Shown instead if a search or a filter matches nothing, with a button that clears it. */
  noMatches?: string | false
  /** Clears filters as well as the search. */
  onClear?: () => void
  /** How many rows of the page a phone shows at first, and what shows the others; only then it turns the page. */
  firstFew?: ReturnType<typeof useFirstFew>['firstFew']
  children: (rows: Row[]) => ReactNode
}) {
  return (
    <QueryView query={query} {...words}>
      {({ rows, total, isMore }) => {
        if (rows.length > 0 || page > 1) {
          return (
            <>
              {children(rows)}
              {firstFew && rows.length > firstFew.count && (
                <Button variant="secondary" className="mt-4 w-full md:hidden" onClick={firstFew.onMore}>
                  Show {rows.length - firstFew.count} more
                </Button>
              )}
              <Pager
                {...{ page, total, isMore }}
                isCut={firstFew !== undefined && rows.length > firstFew.count}
                onTurn={setPage}
              />
            </>
          )
        }
        if (noMatches) {
          return (
            <EmptyState title={noMatches}>
              <Button variant="secondary" small onClick={onClear}>
                Clear search
              </Button>
            </EmptyState>
          )
        }
        return typeof empty === 'string' ? <EmptyState title={empty} /> : empty
      }}
    </QueryView>
  )
}

/** `1 to 25 of 63`, with buttons to the previous and next page. */
function Pager({
  page,
  total,
  isMore,
  isCut,
  onTurn,
}: {
  page: number
  total: number
  isMore: boolean
  /** A phone shows the first few rows of the page, so it does not turn it yet. */
  isCut: boolean
  onTurn: (to: number) => void
}) {
  const pages = Math.max(1, Math.ceil(total / PAGE_ROWS))
  if (pages === 1 && page === 1) return null
  const first = (page - 1) * PAGE_ROWS + 1
  return (
    <nav
      aria-label="Pages"
      className={`mt-6 flex flex-wrap items-center justify-between gap-3 ${isCut ? 'max-md:mt-2 max-md:justify-center' : ''}`}
    >
      <p aria-live="polite" className="text-small text-ink-mute tabular-nums">
        {Math.min(first, total)} to {Math.min(page * PAGE_ROWS, total)} of {isMore && 'more than '}
        {total}
      </p>
      <div className={`flex gap-2 ${isCut ? 'max-md:hidden' : ''}`}>
        <Button variant="secondary" small disabled={page <= 1} onClick={() => onTurn(page - 1)}>
          <Icon of={chevronLeft} /> Previous
        </Button>
        <Button variant="secondary" small disabled={page >= pages} onClick={() => onTurn(page + 1)}>
          Next <Icon of={chevronRight} />
        </Button>
      </div>
    </nav>
  )
}

/** The filters of a list; on a phone behind a button that says how many are set. */
export function Filters({ count, children }: { count: number; children: ReactNode }) {
  const [isOpen, setOpen] = useState(count > 0)
  const id = useId()
  return (
    <>
      <Button
        variant="secondary"
        small
        className="sm:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <div
        id={id}
        className={`w-full grid-cols-2 gap-3 max-sm:order-last sm:flex sm:w-auto ${isOpen ? 'grid' : 'hidden'}`}
      >
        {children}
      </div>
    </>
  )
}

export function SelectFilter({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly (readonly [value: string, word: string])[]
  onChange: (value: string | undefined) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-fine text-ink-mute">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value || undefined)}
        className="input min-h-11 py-2 text-small"
      >
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
    </div>
  )
}
