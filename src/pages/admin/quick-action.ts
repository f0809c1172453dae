import { useLocation, useSearchParams } from 'react-router'

/** The location state of a Quick Action: the tab opens this dialog on arrival. */
export const CREATE = { opens: 'create' } as const
export const CLOSE = { opens: 'close' } as const

const QUICK_ACTIONS = ['create', 'close', 'timetable', 'term'] as const

/** The dialog that a tab opens on arrival: of the location state, or `open` in the address. */
export function useQuickAction(): (typeof QUICK_ACTIONS)[number] | undefined {
  const [query] = useSearchParams()
  const asked = useLocation().state?.opens ?? query.get('open')
  return QUICK_ACTIONS.find((action) => action === asked)
}
