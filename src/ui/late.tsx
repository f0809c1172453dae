import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'

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

/** Preloads what a click will open, so the click works immediately and offline. `load` must be a stable function. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    // If it fails, the click tries again.
    load().catch(() => {})
  }, [load])
}
