import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The location state of a Quick Action: the tab opens this dialog on arrival. */
export const CREATE = { opens: 'create' } as const
export const CLOSE = { opens: 'close' } as const

/** Whether a tab's dialog is open; it is after its Quick Action. */
export function useOpened({ opens }: typeof CREATE | typeof CLOSE) {
  const { state } = useLocation()
  return useState<boolean>(() => state?.opens === opens)
}

/** Whether a phone shows a whole list (`?all=1`) instead of the next few rows, and a function that turns it on. */
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
