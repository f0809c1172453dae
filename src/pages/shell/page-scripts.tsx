import { Children, cloneElement, createContext, isValidElement, type ReactElement, type ReactNode, use } from 'react'
import { Scripts } from 'react-router'

/**
 * React Router's scripts, which the server lets begin after what is seen: as the last in line, or not before the page
 * has been painted ({@link beforeScripts}).
 */
export function PageScripts() {
  const { scripts, nonce } = use(Frame)
  const tags = Scripts({})
  if (!import.meta.env.SSR || import.meta.env.DEV) return tags
  return (
    <>
      {changed(tags, scripts === 'later' ? ASLEEP : LAST_IN_LINE)}
      <script nonce={nonce}>{beforeScripts(scripts)}</script>
    </>
  )
}

const ASLEEP = { link: { rel: 'later' }, module: { type: 'text/later', async: false } }
const LAST_IN_LINE = { link: { fetchPriority: 'low' } }

type Changes = { link: object; module?: object }
type Tag = ReactElement<{ type?: string; children?: ReactNode }>

/** The same elements; links to modules, and the one script that begins everything, with other attributes. */
function changed(node: ReactNode, changes: Changes): ReactNode {
  return Children.map(node, (tag) => {
    if (!isValidElement(tag)) return tag
    const { type, props }: Tag = tag as Tag
    if (type === 'link') return cloneElement(tag, changes.link)
    if (type === 'script') return props.type === 'module' ? cloneElement(tag, changes.module) : tag
    return changed(props.children, changes)
  })
}

/**
 * Runs in a page before its scripts do. Keeps the last click on what needs them, from everybody, until the page carries it
 * out itself (`shell.tsx`).
 */
function keepEarlyClicks(): void {
  const early: NonNullable<Window['early']> = {
    stop() {
      removeEventListener('click', keep, true)
      if (early.click) early.click.ariaBusy = null
    },
  }
  function keep(event: MouseEvent) {
    const pressed = event.target instanceof Element && event.target.closest<HTMLElement>('button, [data-early]')
    if (!pressed || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (early.click) early.click.ariaBusy = null
    pressed.ariaBusy = 'true'
    early.click = pressed
  }
  addEventListener('click', keep, true)
  window.early = early
}

/**
 * Keeps presses from React while it takes a page over. It would take over what is pressed in one go, and a slow phone would
 * show for a fifth of a second that nothing was heard.
 */
function hushEarlyPresses(): void {
  const hush = (event: Event) => {
    if (window.early) event.stopPropagation()
  }
  for (const name of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend'])
    addEventListener(name, hush, { capture: true, passive: true })
}

/** Wakes a page's scripts when it has been painted with all it came with, or somebody uses it, or after three seconds. */
function wakeScripts(): void {
  let isAwake = false
  function wake() {
    if (isAwake) return
    isAwake = true
    const sheet = document.querySelector<HTMLLinkElement>('link[rel=later][as=style]')
    if (sheet) {
      // Behind the page's own few rules: before them, rules for wider screens that this page has not would lose against them on the next.
      document.head.append(sheet)
      sheet.rel = 'stylesheet'
    }
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) link.rel = 'modulepreload'
    const asleep = document.querySelector('script[type="text/later"]')
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = asleep?.textContent ?? ''
    script.addEventListener('error', () => window.early?.stop())
    const begin = () => asleep?.replaceWith(script)
    if (!sheet) return begin()
    // What scripts draw may need what the page itself came without.
    for (const name of ['load', 'error']) sheet.addEventListener(name, begin, { once: true })
  }
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(wake)))
  if (document.readyState === 'complete') painted()
  else addEventListener('load', painted, { once: true })
  for (const name of ['pointerdown', 'keydown', 'focusin']) addEventListener(name, wake, { once: true, capture: true })
  setTimeout(wake, 3000)
}

/** What the server writes into a page, as text: always the same, so that its hash is. Indents are left out. */
const beforeScripts = (scripts: 'later' | 'soon') =>
  `(${keepEarlyClicks})();(${scripts === 'later' ? wakeScripts : hushEarlyPresses})()`.replace(/\n\s+/g, '\n')

/** What the server gives a page besides its content. */
type PageFrame = {
  /** The style sheet, which stands in the page itself: words are drawn as soon as they are there. Empty in development. */
  css: string
  /** Whether scripts begin when the page has been painted, or as soon as may be. */
  scripts: 'later' | 'soon'
  /** Allows inline scripts, on a page that is drawn for one request. */
  nonce?: string
}

/** In the browser: what the page came with. */
export const Frame = createContext<PageFrame>({
  css: globalThis.document?.getElementById('theme')?.innerHTML ?? '',
  scripts: 'soon',
})
