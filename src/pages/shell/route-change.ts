import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** Every route change scrolls smoothly to the top and tells screen readers where they are: focus goes to the heading. */
export function useRouteChange(): void {
  const { pathname, hash } = useLocation()
  const first = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the effect reacts to
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const section = hash ? document.getElementById(hash.slice(1)) : null
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    const behavior = calm ? 'auto' : 'smooth'
    if (section) section.scrollIntoView({ behavior })
    else scrollTo({ top: 0, behavior })
    const heading = section ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
  }, [pathname, hash])
}
