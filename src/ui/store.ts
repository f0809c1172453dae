import { useSyncExternalStore } from 'react'

/**
 * A value outside React that components can subscribe to: `[hook, change]`.
 *
 * @param onServer the value during server rendering and hydration, if the browser starts with another one
 */
export function createStore<T>(initial: T, onServer = initial): [use: () => T, change: (next: (now: T) => T) => void] {
  let value = initial
  const watchers = new Set<() => void>()
  const subscribe = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  const use = () =>
    useSyncExternalStore(
      subscribe,
      () => value,
      () => onServer,
    )
  const change = (next: (now: T) => T) => {
    value = next(value)
    for (const watcher of watchers) watcher()
  }
  return [use, change]
}

const never = () => () => {}

/** False on the server and during hydration, then true: for what only the browser knows, such as a query string. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
