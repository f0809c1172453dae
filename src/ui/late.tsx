import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'

/**
 * A component whose code comes after the page's: the component, and what fetches its code beforehand.
 *
 * Once its code is there it is drawn at once. React's own `lazy` is not: it suspends for a turn even then, and what takes
 * the place of a fallback is held back for 300 ms.
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
    // The one it began with: with the other it would begin anew.
    const [View] = useState(() => here ?? Later)
    return (
      <Suspense>
        <View {...props} />
      </Suspense>
    )
  }
  return [Late, fetch]
}

/**
 * Fetches the code of what a click will open, as soon as the page stands: the click then answers at once, also where
 * the connection has gone meanwhile. `load` stands outside the component.
 */
export function useSoon(load: () => Promise<unknown>): void {
  useEffect(() => {
    // Not reached now: the click tries again.
    load().catch(() => {})
  }, [load])
}
