import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** What a Quick Action hands to the tab it leads to: the dialog is to be open on arrival. */
export const CREATE = { opens: 'create' } as const
export const CLOSE = { opens: 'close' } as const

/** Whether a tab's dialog is open: at once for who comes by its Quick Action. */
export function useOpened({ opens }: typeof CREATE | typeof CLOSE) {
  const { state } = useLocation()
  return useState<boolean>(() => state?.opens === opens)
}

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
