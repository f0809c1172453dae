import sharp from 'sharp'
import { PLACES, type Place } from '#pictures/rules.ts'
import { jpeg, upload } from '#pictures/server/pictures-under-test.ts'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { expectToast } from './member.ts'
import { callApi, expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

const CLASSES = '/harrogate-reformer-pilates-classes'
const SENTENCE = 'Pictures are visualisations.'
const read = async (site: Site, path: string) => (await fetch(site.origin + path)).text()

/** Every page carries the facts it was rendered with. */
async function outdated(site: Site, step: number): Promise<string[]> {
  const pages = await Promise.all(PUBLIC_PAGES.map(async (path) => ({ path, html: await read(site, path) })))
  return pages.filter(({ html }) => !html.includes(`Of step ${step}`)).map(({ path }) => path)
}

/** A large photo with as much detail as a camera's. */
const detailedPhoto = () =>
  sharp({
    create: {
      width: 4000,
      height: 3000,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 150, sigma: 25 },
    },
  })
    .jpeg({ quality: 95 })
    .toBuffer()

test('puts a photo of her own on a phone’s classes page, describes it, and takes it back', async ({ page }) => {
  const site = await Site.open(MONDAY_MORNING)
  try {
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin?view=settings#pictures`)
    const form = page.getByRole('form', { name: 'Studio settings' })
    const duo = form.getByRole('listitem', { name: 'Duo' })
    const choose = duo.getByLabel('Replace: Duo')
    const save = form.getByRole('button', { name: 'Save' })

    await choose.setInputFiles({ name: 'room.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7') })
    await expect(duo.getByRole('alert')).toHaveText('Please choose a picture in JPEG, PNG, WebP or AVIF format.')
    await expect(save).toBeDisabled()

    const file = await detailedPhoto()
    expect(file.length).toBeGreaterThan(3_000_000)
    const [request] = await Promise.all([
      page.waitForRequest('**/api/admin/pictures?place=duo'),
      choose.setInputFiles({ name: 'room.jpg', mimeType: 'image/jpeg', buffer: file }),
    ])
    await expect(duo.getByText('Shows your picture once you press Save.')).toBeVisible()
    expect(Number((await request.allHeaders())['content-length'])).toBeLessThan(file.length)
    await expect(duo.locator('img')).toHaveAttribute('src', /^\/pictures\/[0-9a-f]{32}\/wide\/1280\.webp$/)
    const words = duo.getByLabel('What the picture shows')
    await expect(words).toBeFocused()
    await save.click()
    await expect(duo.getByText('Please describe the picture for people who cannot see it')).toBeVisible()
    await words.fill('Two reformers under a skylight')
    await save.click()
    await expectToast(page, 'Saved. Every page will show it within a minute')
    await expect(duo.getByText('Shows your picture.')).toBeVisible()

    await expect.poll(() => read(site, CLASSES)).toContain('Two reformers under a skylight')
    await page.goto(site.origin + CLASSES)
    const onPage = page.getByAltText('Two reformers under a skylight')
    await onPage.scrollIntoViewIfNeeded()
    await expect.poll(() => onPage.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0)
    await expect(page.getByText(SENTENCE)).toBeVisible()

    await page.goto(`${site.origin}/admin?view=settings#pictures`)
    await duo.getByRole('button', { name: 'Use the original again' }).click()
    await expect(duo.getByText('Shows our picture once you press Save.')).toBeVisible()
    await save.click()
    await expectToast(page, 'Saved. Every page will show it within a minute')
    await form.getByRole('button', { name: 'Undo last change' }).click()
    await expectToast(page, 'The last change has been undone')
    await expect(words).toHaveValue('Two reformers under a skylight')
    expect((await callApi(await site.admin(), 'GET', '/api/studio')).pictures.duo.alt).toBe(
      'Two reformers under a skylight',
    )
  } finally {
    await site.close()
  }
})

test('says that pictures are visualisations where any of a page’s is, on two processes', async ({ page }) => {
  test.slow()
  const site = await Site.open(MONDAY_MORNING)
  const second = await Site.open(MONDAY_MORNING, { databaseOf: site, refreshMs: 1000 })
  try {
    const owner = await site.admin()
    const file = await jpeg()
    const pictures: Partial<Record<Place, { id: string; alt: string }>> = {}
    const steps: Place[][] = [['oneOnOne', 'duo', 'closing'], ['gallery1'], PLACES]
    for (const [step, places] of steps.entries()) {
      for (const place of places) pictures[place] = { id: (await upload(owner, place, file)).body.id, alt: '' }
      for (const picture of Object.values(pictures)) picture.alt = `Of step ${step}`
      await callApi(owner, 'PUT', '/api/admin/studio', { pictures })
      // Each page is compressed before it is served, which takes long on a busy machine.
      await expect.poll(() => outdated(second, step), { timeout: 240_000 }).toEqual([])
      for (const path of PUBLIC_PAGES) {
        const html = await read(second, path)
        const showsOurs = html.includes('src="/assets/pictures/')
        const showsAny = showsOurs || html.includes('src="/pictures/')
        if (showsAny) expect([step, path, html.includes(SENTENCE)]).toEqual([step, path, showsOurs])
        else expect([step, path, html.includes(SENTENCE)]).toEqual([step, path, places !== PLACES])
        expect(showsOurs && places === PLACES && !path.startsWith('/blog'), path).toBe(false)
        expect([path, html.includes('computer-generated')]).toEqual([path, path === '/about' && places !== PLACES])
      }
    }
    await page.goto(second.origin)
    await expect(page.getByAltText('Of step 2').first()).toBeVisible()
    const preloads = page.locator('link[rel=preload][as=image]')
    await expect(preloads).toHaveCount(2)
    for (const preload of await preloads.all())
      expect(await preload.getAttribute('imagesrcset')).toMatch(/^\/pictures\/\w+\/(wide|narrow)\/320\.webp 320w, /)
    await expect(page.getByText(SENTENCE)).toHaveCount(0)
  } finally {
    await second.close()
    await site.close()
  }
})
