import { useLocation } from 'react-router'
import { useIsLive } from '#ui/use-is-live.ts'

/**
 * `aria-current` for a link: `'page'` on its own page. Said only in the browser: the one HTML file of all pages that
 * are drawn there is written at build time, when nobody knows which page it will be.
 */
export function useCurrentPage(): (to: string) => 'page' | undefined {
  const { pathname } = useLocation()
  const isLive = useIsLive()
  return (to) => (isLive && pathname === to ? 'page' : undefined)
}
