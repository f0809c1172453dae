import { useSearchParams } from 'react-router'

/** Sets or removes one value of the address without a new history entry. */
export function useSetSearchParam() {
  const [, setQuery] = useSearchParams()
  return (name: string, value: string | undefined) =>
    setQuery(
      (query) => {
        if (value) query.set(name, value)
        else query.delete(name)
        return query
      },
      { replace: true, preventScrollReset: true },
    )
}

/** Whether a phone shows a whole list (`?all=1`) instead of the next few rows, and a function that turns it on. */
export function useShowAll(): [isAll: boolean, showAll: () => void] {
  const [query] = useSearchParams()
  const setSearchParam = useSetSearchParam()
  return [query.has('all'), () => setSearchParam('all', '1')]
}
