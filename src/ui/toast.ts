import { errorMessage } from '#foundation/call.ts'
import { createStore } from './store.ts'

export type Toast = { id: number; title: string; description?: string; tone: 'plain' | 'error'; open: boolean }

const REMOVED_AFTER_MS = 4000

const [useToasts, change] = createStore<Toast | undefined>(undefined)

export { useToasts }

let last = 0

let drawn = 0
const waiting: (() => void)[] = []

/** Resolves when the latest toast is in the DOM. */
export function toastMounted(): Promise<void> {
  return new Promise((resolve) => {
    if (drawn === last) resolve()
    else waiting.push(resolve)
  })
}

/** Called by the toast viewer when a toast is in the DOM. */
export function markToastMounted(id: number): void {
  drawn = id
  for (const resolve of waiting.splice(0)) resolve()
}

/** Shows a toast. It replaces the one before. */
export function toast(content: { title: string; description?: string; tone?: Toast['tone'] }): void {
  last += 1
  const next: Toast = { tone: 'plain', ...content, id: last, open: true }
  change(() => next)
}

/** Shows a failed call: the server's message, or `fallback`. */
export function toastError(error: unknown, fallback: string, title = 'Error'): void {
  toast({ title, description: errorMessage(error, fallback), tone: 'error' })
}

export const dismissToasts = () => dismissToast(last)

/** Closes a toast; it is unmounted {@link REMOVED_AFTER_MS} later. */
export function dismissToast(id: number): void {
  change((now) => (now?.id === id ? { ...now, open: false } : now))
  setTimeout(() => change((now) => (now?.id === id ? undefined : now)), REMOVED_AFTER_MS)
}
