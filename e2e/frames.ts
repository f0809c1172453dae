declare global {
  /** The next frame has been laid out. Only where `tellFrames` has run. */
  var frameDrawn: () => Promise<void>
}

/**
 * Runs in a page. Stories hold the page's clock, and with it `requestAnimationFrame`, which is a timer then and knows nothing
 * of what is drawn. An `IntersectionObserver` answers for what it has just begun to watch when the next frame is laid out.
 */
export function tellFrames(): void {
  globalThis.frameDrawn = () =>
    new Promise((drawn) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect()
        drawn()
      })
      observer.observe(document.documentElement)
    })
}
