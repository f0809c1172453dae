import x from '@lucide/icons/icons/x'
import * as Radix from '@radix-ui/react-dialog'
import { Fragment, type ReactNode, type RefObject, useDeferredValue, useEffect, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from './back-closes.ts'
import { Icon } from './icon.tsx'

type Shown = {
  onClose: () => void
  title: string
  description?: ReactNode
  /** For what needs more room than words. */
  wide?: boolean
  /** Stands over another dialog, whose step in the history it leaves alone: Back closes that one. */
  over?: boolean
  children: ReactNode
}

/**
 * A modal dialog: traps focus (what says `data-autofocus` has it first), closes with Escape and the browser's Back, gives focus back. On a phone it is a sheet
 * from the bottom.
 */
export function Dialog({ open, ...shown }: Shown & { open: boolean }) {
  // Drawn after the press that opens it: a slow phone shows first that it was heard. One that takes the place of another
  // does so at once, and takes over its step in the history.
  const isDrawn = useDeferredValue(open, false) || shownNow > 0
  return open && isDrawn ? <Opened {...shown} /> : null
}

/** How many dialogs are on the page. */
let shownNow = 0

function Opened({ onClose, title, description, wide = false, over = false, children }: Shown) {
  const opener = useRef<Element | null>(null)
  const content = useRef<HTMLDivElement>(null)
  useEscapeBeforeToasts(content, onClose)
  useLayoutEffect(() => {
    shownNow += 1
    return () => {
      shownNow -= 1
    }
  }, [])
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      {!over && <BackCloses onClose={onClose} />}
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content
          ref={content}
          className={wide ? 'dialog dialog-wide' : 'dialog'}
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement
            const wanted = content.current?.querySelector<HTMLElement>('[data-autofocus]')
            if (!wanted) return
            event.preventDefault()
            wanted.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveFocusBack(opener.current)
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
                <Icon of={x} size={20} strokeWidth={1.5} aria-hidden />
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

function BackCloses({ onClose }: Pick<Shown, 'onClose'>) {
  useBackCloses(onClose)
  return null
}

/** A toast that lies above would take Escape; it belongs to the dialog in which the focus is. */
function useEscapeBeforeToasts(content: RefObject<HTMLElement | null>, onClose: () => void): void {
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const first = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !document.querySelector('.toast')) return
      if (!content.current?.contains(document.activeElement)) return
      event.stopPropagation()
      latest.current()
    }
    // The window hears a key before the document, where toasts and dialogs listen.
    window.addEventListener('keydown', first, { capture: true })
    return () => window.removeEventListener('keydown', first, { capture: true })
  }, [content])
}

/** To what had the focus before, or to the page where that is gone. */
function giveFocusBack(opener: Element | null): void {
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('main')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}

/** The row of buttons at the end of a dialog: the main one last, at the right; on a phone on top. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="dialog-actions mt-4 flex flex-col-reverse gap-3 max-sm:[&>.btn-quiet]:min-h-11 sm:mt-8 sm:flex-row sm:justify-end">
      {children}
    </div>
  )
}

/** Longer ones may break at their hyphens: they would not fit a phone. Ours. */
const LONGEST = 16

/** A text whose words with hyphens, like 'One-on-one', stay together where lines end. */
function WholeWords({ text }: { text: string }) {
  return text.split(' ').map((word, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
    <Fragment key={i}>
      {i > 0 && ' '}
      {word.includes('-') && word.length <= LONGEST ? <span className="whitespace-nowrap">{word}</span> : word}
    </Fragment>
  ))
}
