// Inlined in pages that arrive complete, after the template that holds their scripts. Starts them once the page has
// been painted, when a visitor uses it, or after three seconds.
{
  const template = document.querySelector<HTMLTemplateElement>('#scripts')
  const start = () => template?.isConnected && template.replaceWith(template.content)
  addEventListener('load', () => new PerformanceObserver(start).observe({ type: 'paint', buffered: true }))
  for (const name of ['pointerdown', 'keydown', 'focusin']) addEventListener(name, start, { capture: true })
  setTimeout(start, 3000)
}
