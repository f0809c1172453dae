import { expect, type Page } from '@playwright/test'

/** Shift allowed when our fonts replace the fallback fonts. Source: docs/testing.md#what-a-page-weighs */
const MAX_FONT_SHIFT = 0.01
/** Any other shift. A repainted line may move by a fraction of a pixel. */
const ROUNDING_SHIFT = 0.001

type Movement = { sum: number; elements: string[] }

export type LayoutShifts = Awaited<ReturnType<typeof watchLayoutShifts>>

/** Records unexpected layout shifts. Each expectation covers the shifts since the previous one. */
export async function watchLayoutShifts(page: Page) {
  await page.addInitScript(installNextFrame)
  await page.addInitScript(() => {
    type Shift = { value: number; hadRecentInput: boolean; sources: { node?: { textContent: string | null } }[] }
    let moved: Movement = { sum: 0, elements: [] }
    const add = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as unknown as Shift[]) {
        if (hadRecentInput) continue
        moved.sum += value
        for (const { node } of sources) moved.elements.push(`${value.toFixed(4)} ${node?.textContent?.slice(0, 40)}`)
      }
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    const takeShifts = async () => {
      // A change is painted in the next frame and reported in the one after it.
      for (const _ of ['painted', 'reported']) await nextFrame()
      add(observer.takeRecords())
      const all = moved
      moved = { sum: 0, elements: [] }
      return all
    }
    Object.assign(globalThis, { takeShifts })
  })
  const takeShifts = () =>
    page.evaluate(() => (globalThis as unknown as { takeShifts: () => Promise<Movement> }).takeShifts())
  return {
    expectOnlyFontShifts: async (when: string) => {
      const { sum, elements } = await takeShifts()
      expect(sum, `${when}: ${elements.join('\n')}`).toBeLessThanOrEqual(MAX_FONT_SHIFT)
    },
    expectNoShifts: async (when: string) => {
      const { sum, elements } = await takeShifts()
      expect(sum, `${when}: ${elements.join('\n')}`).toBeLessThan(ROUNDING_SHIFT)
    },
  }
}

declare global {
  /** Resolves when the next frame has been laid out. Needs `installNextFrame`. */
  var nextFrame: () => Promise<void>
}

/**
 * Run it in the page. Playwright's clock replaces `requestAnimationFrame`, so this uses an `IntersectionObserver`,
 * which reports a new target when the next frame is laid out.
 */
export function installNextFrame(): void {
  globalThis.nextFrame = () =>
    new Promise((resolve) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect()
        resolve()
      })
      observer.observe(document.documentElement)
    })
}
