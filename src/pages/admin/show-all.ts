import { useSearchParams } from 'react-router'

/** Whether the address asks for a whole list on a phone, which else shows the next few (`?all=1`), and what asks for it. */
export function useShowAll(): [isAll: boolean, showAll: () => void] {
  const [query, setQuery] = useSearchParams()
  const showAll = () =>
    setQuery(
      (now) => {
        now.set('all', '1')
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  return [query.has('all'), showAll]
}
