// Inlined in every page. Keeps the last click on a button, or on what is marked `data-early`, until React has hydrated
// the page and can carry it out (`useEarlyClick` in shell.tsx).
{
  const early: NonNullable<Window['early']> = {
    stop() {
      removeEventListener('click', keep, true)
      early.click?.removeAttribute('aria-busy')
    },
  }
  const keep = (event: MouseEvent) => {
    const pressed = event.target instanceof Element && event.target.closest<HTMLElement>('button, [data-early]')
    if (!pressed || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    early.click?.removeAttribute('aria-busy')
    pressed.ariaBusy = 'true'
    early.click = pressed
  }
  addEventListener('click', keep, true)
  window.early = early

  // Without its scripts a page still has its links and forms.
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && window.early?.stop(), true)

  // React hydrates the whole page in one go for these, and a slow phone would show nothing for a fifth of a second.
  for (const name of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend'])
    addEventListener(name, (event) => window.early && event.stopPropagation(), { capture: true, passive: true })
}
