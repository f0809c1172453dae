import x from '@lucide/icons/icons/x'
import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { useOpenDialog, useOpenDialogs } from './open-dialogs.tsx'
import { WholeWords } from './whole-words.tsx'

type Shown = {
  onClose: () => void
  title: string
  description?: ReactNode
  /** For content that needs more room than text. */
  wide?: boolean | undefined
  over?: boolean
  children: ReactNode
}

/**
 * A modal dialog, on a phone a sheet from the bottom. Escape and the browser's Back close it. Focus goes to the element
 * with `data-autofocus`, and back to the opener at the end.
 */
export function Dialog({ open = true, ...shown }: Shown & { open?: boolean }) {
  // Deferred, so that a slow phone first shows that it registered the press. A dialog that replaces another one opens
  // immediately.
  const isDeferred = useDeferredValue(open, false)
  const { isAnyOpen } = useOpenDialogs()
  return open && (isDeferred || isAnyOpen) ? <Opened {...shown} /> : null
}

function Opened({ onClose, title, description, wide = false, over = false, children }: Shown) {
  // Before the dialog is there, as a field in it may take the focus at once.
  const [opener] = useState(() => openerOf(document.activeElement))
  const content = useRef<HTMLDivElement>(null)
  useOpenDialog(onClose, over)
  useEffect(makeRestInert, [])
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          ref={content}
          className={wide ? 'dialog dialog-wide' : 'dialog'}
          onOpenAutoFocus={(event) => {
            const wanted = content.current?.querySelector<HTMLElement>('[data-autofocus]')
            if (!wanted) return
            event.preventDefault()
            wanted.focus()
          }}
          // From the last element to the first and back, Radix moves the focus without scrolling.
          onFocus={({ target }) => target.matches(':focus-visible') && target.scrollIntoView({ block: 'nearest' })}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveFocusBack(opener)
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div aria-hidden className="mx-auto mt-3 h-1 w-10 rounded-full bg-stone sm:hidden" />
          <div className="p-6 pt-4 sm:p-8">
            <div className="flex items-start justify-between gap-4">
              <Radix.Title className="pt-1 font-serif text-[2rem]/[1.1] tracking-[-0.01em]">
                <WholeWords text={title} />
              </Radix.Title>
              <Radix.Close
                aria-label="Close"
                className="-mt-1 -mr-2 grid size-11 flex-none place-items-center rounded-full text-ink-soft hover:bg-sand"
              >
                <Icon of={x} size={20} />
              </Radix.Close>
            </div>
            {description && <Radix.Description className="mt-3 text-ink-soft">{description}</Radix.Description>}
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * Radix hides the rest of the page from screen readers only; `inert` also takes it out of reach of focus and search. A
 * turn later, because Radix marks it after this dialog's own effects.
 */
function makeRestInert() {
  let rest: HTMLElement[] = []
  const timer = setTimeout(() => {
    rest = [...document.querySelectorAll<HTMLElement>('[data-aria-hidden=true]:not([inert])')]
    for (const element of rest) element.inert = true
  })
  return () => {
    clearTimeout(timer)
    for (const element of rest) element.inert = false
  }
}

/** What opened the first of dialogs that replace each other; what they are opened from is gone with the one before. */
let firstOpener: Element | null = null

function openerOf(focused: Element | null): Element | null {
  const isOnPage = focused && focused !== document.body && !focused.closest('[role="dialog"]')
  if (isOnPage) firstOpener = focused
  return focused
}

function giveFocusBack(opener: Element | null): void {
  const isThere = (element: Element | null) => element?.isConnected && element !== document.body
  const target = [opener, firstOpener].find(isThere) ?? document.querySelector('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/**
 * The buttons at the end of a dialog: `aside`, with `onClose` the one that leaves it, and the main one, which is at the
 * right or on top of a second row.
 */
export function DialogActions({
  aside,
  cancel = 'Cancel',
  onClose,
  children,
}: {
  aside?: ReactNode
  cancel?: string | undefined
  onClose?: () => void
  children: ReactNode
}) {
  return (
    <div className="dialog-actions mt-4 flex flex-wrap-reverse gap-x-3 gap-y-2 max-sm:*:grow max-sm:[&>.btn-quiet]:min-h-11 sm:mt-8 sm:flex-nowrap sm:justify-end">
      {aside}
      {onClose && (
        <Button variant="quiet" onClick={onClose}>
          {cancel}
        </Button>
      )}
      {children}
    </div>
  )
}
