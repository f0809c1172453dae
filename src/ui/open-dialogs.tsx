import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { createPath, useLocation, useNavigate } from 'react-router'

type Opened = { close: () => void; isOver: boolean }
type Dialogs = {
  isAnyOpen: boolean
  add: (opened: Opened) => () => void
  closeTop: () => void
}

const DialogsContext = createContext<Dialogs>({ isAnyOpen: false, add: () => () => {}, closeTop: () => {} })

export const useOpenDialogs = () => use(DialogsContext)

/**
 * Registers an open dialog while mounted: the browser's Back closes it instead of leaving the page.
 *
 * @param isOver opened on top of another dialog: Back closes that one
 */
export function useOpenDialog(onClose: () => void, isOver = false): void {
  const { add } = useOpenDialogs()
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => add({ close: () => latest.current(), isOver }), [add, isOver])
}

/** Adds a history entry while a dialog is open; one that replaces another takes over its entry. Wraps the page. */
export function OpenDialogs({ children }: { children: ReactNode }) {
  const [stack, setStack] = useState<readonly Opened[]>([])
  // A page that is left takes its dialogs along in the commit that changes the location, before the state does.
  const current = useRef(stack)
  const location = useLocation()
  const navigate = useNavigate()
  const isOpen = modalsOf(stack).length > 0
  const hasEntry = Boolean(location.state?.open)
  const before = useRef({ isOpen: false, hasEntry: false })
  /** Our entry is on its way into the history. */
  const isPushing = useRef(false)
  /** Our entry is on its way out of the history. A dialog that opens in that time gets its own entry. */
  const isRemoving = useRef(false)

  useEffect(() => {
    for (const { close } of modalsOf(stack).slice(0, -1)) close()
  }, [stack])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reacts to a dialog that opens or closes, and to Back
  useEffect(() => {
    const was = before.current
    before.current = { isOpen, hasEntry }
    // The dialog has closed before its entry was there.
    const isStray = isPushing.current && hasEntry && !isOpen
    if (hasEntry) isPushing.current = false
    const isRemoved = isRemoving.current && !hasEntry
    if (isRemoved) isRemoving.current = false
    if (isOpen && !hasEntry && (!was.isOpen || isRemoved)) {
      isPushing.current = true
      void navigate(location, { state: { ...location.state, open: true }, preventScrollReset: true })
    }
    if (isOpen && was.isOpen && !hasEntry && was.hasEntry && !isRemoved) modalsOf(current.current).at(-1)?.close()
    if (isOpen || !hasEntry || !(was.isOpen || isStray)) return
    const timer = setTimeout(() => {
      // A navigation may have left the page already, though React has not rendered it yet.
      const { pathname, search, hash } = window.location
      if (createPath({ pathname, search, hash }) !== createPath(location)) return
      isRemoving.current = true
      void navigate(-1)
    })
    return () => clearTimeout(timer)
  }, [isOpen, hasEntry])

  const isAnyOpen = stack.length > 0
  const change = useCallback((next: readonly Opened[]) => {
    current.current = next
    setStack(next)
  }, [])
  const add = useCallback(
    (opened: Opened) => {
      change([...current.current, opened])
      return () => change(current.current.filter((other) => other !== opened))
    },
    [change],
  )
  const closeTop = useCallback(() => current.current.at(-1)?.close(), [])
  const dialogs = useMemo(() => ({ isAnyOpen, add, closeTop }), [isAnyOpen, add, closeTop])
  return <DialogsContext value={dialogs}>{children}</DialogsContext>
}

const modalsOf = (stack: readonly Opened[]) => stack.filter(({ isOver }) => !isOver)
