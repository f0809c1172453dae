import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useIsHydrated } from './store.ts'

/**
 * A component that loads later, and a function that loads it ahead.
 *
 * Once loaded it renders immediately. React's `lazy` would still suspend, and then keep the fallback for 300 ms.
 */
export function late<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): [component: ComponentType<Props>, fetch: () => Promise<unknown>] {
  let here: ComponentType<Props> | undefined
  const fetch = async () => {
    const loaded = await load()
    here = loaded.default
    return loaded
  }
  const Later: ComponentType<Props> = lazy(fetch)
  function Late(props: Props) {
    // Keeps the first one, because switching would remount it.
    const [View] = useState(() => here ?? Later)
    return (
      <Suspense>
        <View {...props} />
      </Suspense>
    )
  }
  return [Late, fetch]
}

/** Renders its children, usually `lazy` ones, once hydrated. For forms too: hydration loses what has been typed. */
export function BrowserOnly({ fallback, children }: { fallback?: ReactNode; children: ReactNode }) {
  return useIsHydrated() ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}

/** Preloads what a click will open once the browser is idle, so it works offline. `load` must be a stable function. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    // If it fails, the click tries again.
    whenIdle(() => void load().catch(() => {}))
  }, [load])
}

/** Runs `work` when the page has nothing more urgent to do. Safari has no `requestIdleCallback`. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work)
  else setTimeout(work, 1000)
}
