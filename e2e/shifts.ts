import { expect, type Page } from '@playwright/test'
import { tellFrames } from './frames.ts'

// What moves under the eyes of somebody who has touched nothing, as browsers count it (cumulative layout shift).

/** Our own fonts in the place of their stand-ins. Source: docs/testing.md#what-a-page-weighs */
const MOST_BY_FONTS = 0.01
/** Anything else. Drawn anew, a line may be a fraction of a pixel off: rounded, that is a shift of 0.00. */
const LAST_FRACTION = 0.001

type Moved = { sum: number; what: string[] }

export type Shifts = Awaited<ReturnType<typeof watchShifts>>

/** Records every shift of a page's next documents. Each question is about what moved since the one before. */
export async function watchShifts(page: Page) {
  await page.addInitScript(tellFrames)
  await page.addInitScript(() => {
    type Shift = { value: number; hadRecentInput: boolean; sources: { node?: { textContent: string | null } }[] }
    let moved: Moved = { sum: 0, what: [] }
    const add = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as unknown as Shift[]) {
        if (hadRecentInput) continue
        moved.sum += value
        for (const { node } of sources) moved.what.push(`${value.toFixed(4)} ${node?.textContent?.slice(0, 40)}`)
      }
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    const movedSinceAsked = async () => {
      // What has changed is drawn with the next frame, and counted with the one after it.
      for (const _ of ['next', 'after it']) await frameDrawn()
      add(observer.takeRecords())
      const all = moved
      moved = { sum: 0, what: [] }
      return all
    }
    Object.assign(globalThis, { movedSinceAsked })
  })
  const moved = () =>
    page.evaluate(() => (globalThis as unknown as { movedSinceAsked: () => Promise<Moved> }).movedSinceAsked())
  return {
    expectOnlyFontsMoved: async (when: string) => {
      const { sum, what } = await moved()
      expect(sum, `${when}: ${what.join('\n')}`).toBeLessThanOrEqual(MOST_BY_FONTS)
    },
    expectNothingMoved: async (when: string) => {
      const { sum, what } = await moved()
      expect(sum, `${when}: ${what.join('\n')}`).toBeLessThan(LAST_FRACTION)
    },
  }
}
