import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitForAnimations } from '../../e2e/accessibility.ts'
import { WALKS } from '../../e2e/scenes/all-walks.ts'
import { test } from '../../e2e/site.ts'
import { askAlfa, askAxe, askIbm } from './engines.ts'

const FOLDER = join(import.meta.dirname, '../../test-results/accessibility')
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

for (const walk of WALKS) {
  test(walk.map(({ name }) => name).join('; '), async ({ page, site }) => {
    await mkdir(FOLDER, { recursive: true })
    for (const { name, open, only, isScreenshotOnly } of walk) {
      await test.step(name, async () => {
        await page.setViewportSize(only === 'phone' ? PHONE : WIDE)
        await open(page, site)
        if (isScreenshotOnly) return
        await waitForAnimations(page)
        const findings = [...(await askAxe(page)), ...(await askAlfa(page)), ...(await askIbm(page))]
        await writeFile(join(FOLDER, `${name.replace(/[^\w-]+/g, '-')}.json`), JSON.stringify({ name, findings }))
      })
    }
  })
}
