import { test as askingTest } from './asking-site.ts'
import { faults, lost } from './looks.ts'
import { WALKS } from './scenes/every-walk.ts'
import type { Walk, WalkTest } from './scenes/scene.ts'
import { SECOND_STEP_WALKS } from './scenes/second-step.ts'
import { expect, test } from './site.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The narrowest screen of WCAG 2.2 (1.4.10). */
const NARROW = { width: 320, height: 640 }
/** 1440 px at 200 % zoom. */
const ZOOMED = { width: 720, height: 450 }

for (const walk of WALKS.filter((walk) => walk.some(({ alike }) => !alike))) look(test, walk)
for (const walk of SECOND_STEP_WALKS) look(askingTest, walk)

/** One test for a walk's scenes, on the site that `test` brings. */
function look(test: WalkTest, walk: Walk) {
  const names = walk.filter(({ alike }) => !alike).map(({ name }) => name)
  test(`${names.join('; ')}: axe finds nothing, and nothing is lost at 320 px or 200 %`, async ({ page, site }) => {
    for (const { name, open, only, alike } of walk) {
      await page.setViewportSize(only === 'phone' ? PHONE : WIDE)
      await open(page, site)
      if (alike) continue
      if (!only) {
        expect.soft(await faults(page), `${name} at 1440 px`).toEqual([])
        await page.setViewportSize(ZOOMED)
        expect.soft(await lost(page), `${name} at 200 %`).toEqual([])
        await page.setViewportSize(PHONE)
      }
      expect.soft(await faults(page), `${name} at 390 px`).toEqual([])
      expect.soft(await lost(page), `${name} at 390 px`).toEqual([])
      await page.setViewportSize(NARROW)
      expect.soft(await lost(page), `${name} at 320 px`).toEqual([])
    }
  })
}
