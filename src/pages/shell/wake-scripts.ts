/**
 * Runs in a finished page, before anything else does. Wakes its scripts when the page has been painted with all it came
 * with, or somebody uses it, or after three seconds. Keeps the last click on what needs them, from everybody, until the
 * page carries it out itself (`early-click.ts`).
 */
function wakeScripts(): void {
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
  let isAwake = false
  function wake() {
    if (isAwake) return
    isAwake = true
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=later]')) link.rel = 'modulepreload'
    const asleep = document.querySelector('script[type=later]')
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = asleep?.textContent ?? ''
    script.addEventListener('error', early.stop)
    asleep?.replaceWith(script)
  }
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(wake)))
  if (document.readyState === 'complete') painted()
  else addEventListener('load', painted, { once: true })
  for (const name of ['pointerdown', 'keydown', 'focusin']) addEventListener(name, wake, { once: true, capture: true })
  setTimeout(wake, 3000)
}

/** It as text, which the server writes into pages: always the same, so that its hash is. */
export const wakeScriptsText = () => `(${wakeScripts})()`
