import { useLocation, useMatches } from 'react-router'

/**
 * `aria-current` for a link, `'page'` on its own page. The shell of pages drawn in the browser is written at build
 * time for no page at all: there, only the root matches and nothing is current.
 */
export function useCurrentPage(): (to: string) => 'page' | undefined {
  const { pathname } = useLocation()
  const isDrawn = useMatches().length > 1
  return (to) => (isDrawn && pathname === to ? 'page' : undefined)
}
