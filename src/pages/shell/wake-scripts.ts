/**
 * Runs in a page before its scripts do. Keeps the last click on what needs them, from everybody, until the page carries it
 * out itself (`early-click.ts`).
 */
function keepEarlyClicks(): void {
  const early: NonNullable<Window['early']> = { stop: () => removeEventListener('click', keep, true) }
  function keep(event: MouseEvent) {
    const pressed = event.target instanceof Element && event.target.closest<HTMLElement>('button, [data-early]')
    if (!pressed || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    early.click = pressed
  }
  addEventListener('click', keep, true)
  window.early = early
}

/** Wakes a page's scripts when it has been painted with all it came with, or somebody uses it, or after three seconds. */
function wakeScripts(): void {
  let isAwake = false
  function wake() {
    if (isAwake) return
    isAwake = true
    const sheet = document.querySelector<HTMLLinkElement>('link[rel=later][as=style]')
    if (sheet) sheet.rel = 'stylesheet'
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
export const beforeScripts = (scripts: 'later' | 'soon') =>
  (scripts === 'later' ? `(${keepEarlyClicks})();(${wakeScripts})()` : `(${keepEarlyClicks})()`).replace(/\n\s+/g, '\n')
