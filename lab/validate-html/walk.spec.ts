import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { BEHIND_LOGIN, OUTSIDE_LIVE_MODE } from '#site-map.ts'
import { WALKS } from '../../e2e/scenes/all-walks.ts'
import { expect, test } from '../../e2e/site.ts'

/** The HTML of every page as sent, and of every screen in the browser. */
const FOLDER = join(import.meta.dirname, '../../test-results/html')
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

async function keep(folder: 'sent' | 'shown', name: string, html: string): Promise<void> {
  const place = join(FOLDER, folder)
  await mkdir(place, { recursive: true })
  await writeFile(join(place, `${name.replace(/[^\w-]+/g, '-') || 'home'}.html`), html)
}

test('every page as sent to a visitor, a member with a booking and the owner', async ({ site }) => {
  const member = await site.member({ health: true, credits: 2 })
  await site.book(member, await site.class({ at: '2026-12-09 09:00' }))
  const paths = [...PUBLIC_PAGES, ...BEHIND_LOGIN, ...OUTSIDE_LIVE_MODE]
  for (const [who, person] of Object.entries({ nobody: undefined, member, owner: await site.admin() })) {
    const cookie = [...(person?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const path of who === 'nobody' ? paths : BEHIND_LOGIN) {
      const response = await fetch(site.origin + path, { headers: { cookie } })
      expect([path, response.status]).toEqual([path, path === '/404' ? 404 : 200])
      await keep('sent', `${who}-${path.slice(1) || 'home'}`, await response.text())
    }
  }
})

for (const walk of WALKS) {
  test(walk.map(({ name }) => name).join('; '), async ({ page, site }) => {
    for (const { name, open, only } of walk) {
      await page.setViewportSize(only === 'phone' ? PHONE : WIDE)
      await open(page, site)
      await keep('shown', name, await page.content())
    }
  })
}
