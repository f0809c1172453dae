import { PUBLIC_PAGES } from '#public-pages.ts'
import { initialFacts } from '#studio.ts'
import { callApi, expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

const CONTACT = '/contact_harrogate_reformer_pilates'
const NOTICE = 'We are closed from 24 to 27 December.'
const read = async (site: Site, path: string) => (await fetch(site.origin + path)).text()

async function outdatedPages(site: Site): Promise<string[]> {
  const paths = [...PUBLIC_PAGES, '/booking', '/admin']
  const pages = await Promise.all(paths.map(async (path) => ({ path, html: await read(site, path) })))
  const isOld = (html: string) =>
    html.includes(initialFacts.phone) || html.includes(initialFacts.email) || !html.includes(NOTICE)
  const old = pages.filter(({ path, html }) => isOld(html) || (path === '/pricing' && !html.includes('£431')))
  return old.map(({ path }) => path)
}

test('every page, email and structured data of two processes shows changed contact details, hours, prices and notice', async ({
  page,
}) => {
  const site = await Site.open(MONDAY_MORNING)
  const second = await Site.open(MONDAY_MORNING, { databaseOf: site, refreshMs: 1000 })
  try {
    const owner = await site.admin()
    const packages: { id: number; name: string; classCount: number }[] = await callApi(owner, 'GET', '/api/packages')
    // The price without a pass is that of the package of one class.
    const single = packages.find(({ name }) => name === 'Single Session')
    await callApi(owner, 'PUT', `/api/packages/${single?.id}`, { price: '67.00' })
    const sold = packages.find(({ classCount }) => classCount === 8)
    await callApi(owner, 'PUT', `/api/packages/${sold?.id}`, { price: '431.00' })
    await callApi(owner, 'PUT', '/api/admin/studio', {
      phone: '01632 960151',
      email: 'desk@aldergate.example',
      hours: { ...initialFacts.hours, Friday: { opens: '07:00', closes: '11:00' } },
      prices: { price: '67', passPrice: '52' },
      notice: { text: NOTICE, until: '2026-12-27' },
    })
    for (const place of [site, second]) {
      // The first process looks for changes every 15 seconds, the second every second.
      await expect.poll(() => outdatedPages(place), { timeout: 60_000 }).toEqual([])
      const contact = await read(place, CONTACT)
      for (const words of ['Monday to Thursday', '07:00 - 11:00', '"telephone":"+44 1632 960151"', '"opens":"07:00"'])
        expect(contact).toContain(words)
      expect(await read(place, '/harrogate-reformer-pilates-classes')).toContain('£67')
      expect(await read(place, '/pricing')).toContain('"price":"431.00"')
    }
    const member = await second.member({ health: true, credits: 1 })
    await second.book(member, await second.class({ at: '2026-12-09 19:15' }))
    expect((await site.mailTo(member.email, /is booked/)).text).toContain('01632 960151')
    await signIn(page, member)
    await page.goto(`${second.origin}/dashboard`)
    await expect(page.getByRole('complementary', { name: 'Notice' })).toHaveText(
      'We are closed from 24 to 27 December.',
    )
    await expect(page.getByRole('contentinfo').getByRole('link', { name: '01632 960151' })).toBeVisible()
  } finally {
    await second.close()
    await site.close()
  }
})
