import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { test as askingTest } from '../asking-site.ts'
import { WALKS } from '../scenes/every-walk.ts'
import type { WalkTest } from '../scenes/scene.ts'
import { SECOND_STEP_WALKS } from '../scenes/second-step.ts'
import { test } from '../site.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
const WIDTHS = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ALL_WALKS = [...WALKS, ...SECOND_STEP_WALKS]
const files = ALL_WALKS.flat().map(({ name }, i) => `${String(i + 1).padStart(2, '0')} ${name}`.replace(/[, ]+/g, '-'))
let walked = 0

for (const walk of ALL_WALKS) {
  const onItsSite: WalkTest = SECOND_STEP_WALKS.includes(walk) ? askingTest : test
  const first = walked
  walked += walk.length
  for (const [kind, viewport] of Object.entries(WIDTHS)) {
    const shown = walk.map((scene, i) => ({ ...scene, file: files[first + i] as string }))
    const scenes = shown.filter(({ only }) => !only || only === kind)
    if (scenes.length === 0) continue
    onItsSite(`${scenes.map(({ file }) => file).join('; ')} at ${viewport.width}`, async ({ page, site }) => {
      await page.setViewportSize(viewport)
      for (const { open, file } of scenes) {
        await open(page, site)
        await everyPictureLoaded(page)
        // What lies above the page stands where the window is; a picture of the whole page would tear it away.
        const lies = (await page.locator('[role=dialog], #mobile-menu, .toast').count()) > 0
        // What sticks to the window would stand in the middle of a picture of the whole page.
        if (!lies) await page.evaluate(() => scrollTo(0, 0))
        await page.screenshot({ path: join(FOLDER, kind, `${file}.png`), fullPage: !lies, animations: 'disabled' })
      }
    })
  }
}

/** Pictures far down load when somebody gets there; on a picture of the whole page everybody is there at once. */
async function everyPictureLoaded(page: Page) {
  await page.evaluate(async () => {
    await document.fonts.ready
    const pictures = [...document.images]
    for (const picture of pictures) picture.loading = 'eager'
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)))
  })
}
