import { type CheerioAPI, load } from 'cheerio'
import sharp from 'sharp'
import { PUBLIC_PAGES } from '#public-pages.ts'
import { ALIASES, BEHIND_LOGIN } from '#site-map.ts'
import { initialFacts } from '#studio.ts'
import { expect, type Site, test } from './site.ts'

// Reads the HTML without running scripts, as a search engine does.

type FinishedPage = { path: string; $: CheerioAPI }
type Thing = { '@type': string; [field: string]: unknown }

const NOT_INDEXED = ['/email-verified', '/404']
const INDEXED = PUBLIC_PAGES.filter((path) => !NOT_INDEXED.includes(path))

const pagesBySite = new WeakMap<Site, Promise<FinishedPage[]>>()
function everyPage(site: Site): Promise<FinishedPage[]> {
  const known = pagesBySite.get(site) ?? Promise.all(PUBLIC_PAGES.map((path) => read(site, path)))
  pagesBySite.set(site, known)
  return known
}
async function read(site: Site, path: string): Promise<FinishedPage> {
  const response = await fetch(site.origin + path)
  expect([path, response.status]).toEqual([path, path === '/404' ? 404 : 200])
  return { path, $: load(await response.text()) }
}
const indexedPages = async (site: Site) => (await everyPage(site)).filter(({ path }) => INDEXED.includes(path))

const metaOf = ({ $ }: FinishedPage, name: string) =>
  $(`meta[name="${name}"], meta[property="${name}"]`).attr('content') ?? ''
/** Pages contain the public address, which differs from the test server's. */
const pathOf = (url: string) => new URL(url).pathname
const structuredDataOf = ({ $ }: FinishedPage): Thing[] =>
  $('script[type="application/ld+json"]')
    .toArray()
    .flatMap((script) => JSON.parse($(script).text())['@graph'])

test('every page has one h1, a unique title and description, and text without script', async ({ site }) => {
  const pages = await everyPage(site)
  for (const { path, $ } of pages) {
    expect([path, $('html').attr('lang')]).toEqual([path, 'en-GB'])
    expect([path, $('h1').length]).toEqual([path, 1])
    expect($('main').text().trim().length, `${path} has too little text`).toBeGreaterThan(60)
  }
  const titles = pages.map(({ $ }) => $('title').text())
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles.filter((title) => title.length < 15 || title.length > 75)).toEqual([])
  const indexed = await indexedPages(site)
  const descriptions = indexed.map((page) => metaOf(page, 'description'))
  expect(new Set(descriptions).size).toBe(descriptions.length)
  const all = pages.map((page) => metaOf(page, 'description'))
  expect(all.filter(({ length }) => length < 50 || length > 160)).toEqual([])
})

test('no link, anchor or picture of the site is broken', async ({ site }) => {
  const pages = await everyPage(site)
  const ids = new Map(
    pages.map(({ path, $ }) => [
      path,
      new Set(
        $('[id]')
          .map((_, element) => $(element).attr('id'))
          .get(),
      ),
    ]),
  )
  const statuses = new Map<string, Promise<number>>()
  const statusOf = (path: string) => {
    const known = statuses.get(path) ?? fetch(site.origin + path, { redirect: 'follow' }).then(({ status }) => status)
    statuses.set(path, known)
    return known
  }
  const broken: string[] = []
  let followed = 0
  for (const { path, $ } of pages) {
    const sources = $('source[srcset], img[srcset], link[imagesrcset]').map((_, element) => {
      return ($(element).attr('srcset') ?? $(element).attr('imagesrcset') ?? '')
        .split(', ')
        .map((item) => item.split(' ')[0])
    })
    const links = $('a[href]').map((_, a) => $(a).attr('href'))
    const files = $('img[src], script[src], link[href]:not([rel=canonical], [rel=alternate])').map(
      (_, element) => $(element).attr('src') ?? $(element).attr('href'),
    )
    for (const address of new Set(
      [...links.get(), ...files.get(), ...sources.get()].filter((item) => item !== undefined),
    )) {
      const url = new URL(address, site.origin + path)
      if (url.origin !== site.origin) {
        if (!['https:', 'mailto:', 'tel:'].includes(url.protocol)) broken.push(`${path}: ${address}`)
        continue
      }
      followed += 1
      if (url.pathname !== path && (await statusOf(url.pathname)) !== 200) broken.push(`${path}: ${address}`)
      const target = ids.get(url.pathname)
      if (url.hash && target && !target.has(decodeURIComponent(url.hash.slice(1)))) broken.push(`${path}: ${address}`)
    }
    for (const img of $('img').toArray()) if ($(img).attr('alt') === undefined) broken.push(`${path}: no alt`)
  }
  expect(broken).toEqual([])
  expect(followed).toBeGreaterThan(500)
})

test('each page has Open Graph data with a picture of 1200 x 630', async ({ site }) => {
  const pictures = new Set<string>()
  for (const page of await indexedPages(site)) {
    const { path, $ } = page
    expect(pathOf($('link[rel=canonical]').attr('href') ?? '')).toBe(path)
    expect(pathOf(metaOf(page, 'og:url'))).toBe(path)
    expect($('title').text()).toBe(`${metaOf(page, 'og:title')} | ${initialFacts.name}`)
    expect(metaOf(page, 'og:description')).toBe(metaOf(page, 'description'))
    expect(metaOf(page, 'twitter:card')).toBe('summary_large_image')
    expect(metaOf(page, 'twitter:image')).toBe(metaOf(page, 'og:image'))
    expect(metaOf(page, 'robots')).toBe('')
    const picture = pathOf(metaOf(page, 'og:image'))
    const { width, height, format } = await sharp(await bytesOf(site, picture)).metadata()
    expect([path, width, height, format]).toEqual([path, 1200, 630, 'jpeg'])
    pictures.add(picture)
  }
  expect(pictures.size).toBe(INDEXED.length)
  for (const page of await everyPage(site)) {
    if (!INDEXED.includes(page.path)) expect([page.path, metaOf(page, 'robots')]).toEqual([page.path, 'noindex'])
  }
})

test('the header of every page has Login before any script runs', async ({ site }) => {
  for (const { path, $ } of await everyPage(site)) expect($('header a[href="/auth"]').text(), path).toBe('Login')
})

test('the footer has all links, the services, the address and the year', async ({ site }) => {
  for (const { path, $ } of await everyPage(site)) {
    const footer = $('footer')
    const links = footer
      .find('a')
      .map((_, a) => [[$(a).text().trim(), new URL($(a).attr('href') ?? '', site.origin).pathname]])
    expect(links.get(), path).toEqual([
      ['Aldergate Pilates', '/'],
      ['Instagram', '/aldergate.example'],
      ['Home', '/'],
      ['About', '/about'],
      ['Classes', '/harrogate-reformer-pilates-classes'],
      ['Pricing', '/pricing'],
      ['Blog', '/blog'],
      ['Contact', '/contact_harrogate_reformer_pilates'],
      ['Book Now', '/booking'],
      ['One-on-one sessions', '/harrogate-reformer-pilates-classes'],
      ['Duo sessions', '/harrogate-reformer-pilates-classes'],
      ['Class pass packages', '/pricing'],
      ['01632 960147', '01632960147'],
      ['hello@aldergate.example', 'hello@aldergate.example'],
      ['Refund policy', '/refund-policy'],
      ['Privacy policy', '/privacy-policy'],
      ['Terms', '/terms-and-conditions'],
      ['Contact', '/contact_harrogate_reformer_pilates'],
    ])
    expect(footer.find('h2, h3').text(), path).toContain('Services')
    for (const words of ['© 2024', '7 Aldergate Mews']) expect(footer.text(), path).toContain(words)
  }
})

test.describe('inner pages have a breadcrumb', () => {
  for (const [path, crumb] of [
    ['/pricing', 'Pricing'],
    ['/about', 'About'],
    ['/harrogate-reformer-pilates-classes', 'Classes'],
    ['/auth', 'Log in or sign up'],
    ['/email-verified', 'Email verified'],
    ['/404', 'Not found'],
  ] as const) {
    test(`${path}: Home, then ${crumb}`, async ({ site }) => {
      const { $ } = await read(site, path)
      const trail = $('nav[aria-label="Breadcrumb"]')
      expect(trail.find('a[href="/"]').text()).toBe('Home')
      expect(trail.find('[aria-current=page]').text()).toBe(crumb)
    })
  }
})

const bytesOf = async (site: Site, path: string) => Buffer.from(await (await fetch(site.origin + path)).arrayBuffer())

const REQUIRED: Record<string, string[]> = {
  ExerciseGym: ['name', 'url', 'image', 'telephone', 'address', 'geo', 'openingHoursSpecification'],
  Service: ['name', 'description', 'provider', 'areaServed'],
  BlogPosting: ['headline', 'datePublished', 'author', 'image', 'publisher', 'mainEntityOfPage'],
  BreadcrumbList: ['itemListElement'],
  FAQPage: ['mainEntity'],
  OfferCatalog: ['name', 'url', 'itemListElement'],
  Event: ['name', 'startDate', 'endDate', 'eventStatus', 'location', 'organizer', 'offers'],
}

test('structured data is complete and matches the page', async ({ site }) => {
  const kinds = new Map<string, string[]>()
  for (const page of await indexedPages(site)) {
    for (const thing of structuredDataOf(page)) {
      const kind = thing['@type']
      kinds.set(kind, [...(kinds.get(kind) ?? []), page.path])
      expect(Object.keys(thing), `${page.path}: ${kind}`).toEqual(
        expect.arrayContaining(REQUIRED[kind] ?? ['a known kind']),
      )
      if (kind === 'FAQPage') {
        const words = page.$('main').text()
        for (const question of thing.mainEntity as { name: string; acceptedAnswer: { text: string } }[]) {
          expect(words).toContain(question.name)
          expect(words).toContain(question.acceptedAnswer.text)
        }
      }
      if (kind === 'OfferCatalog') {
        const offers = thing.itemListElement as { name: string; price: string }[]
        expect(offers.length).toBeGreaterThan(3)
        for (const { name, price } of offers) {
          const card = page.$('main li').filter((_, li) => page.$(li).text().includes(name))
          expect(card.text()).toContain(`£${Number(price)}`)
        }
      }
      if (kind === 'Event') {
        const begins = Temporal.Instant.from(String(thing.startDate)).toZonedDateTimeISO('Europe/London')
        expect(page.$('#timetable').text()).toContain(begins.toPlainTime().toString().slice(0, 5))
      }
      if (kind === 'BlogPosting') expect(page.$('h1').text()).toBe(thing.headline)
    }
  }
  expect(kinds.get('BreadcrumbList')?.length).toBe(INDEXED.length - 1)
  expect(kinds.get('BlogPosting')?.length).toBe(PUBLIC_PAGES.filter((path) => path.startsWith('/blog/')).length)
  for (const kind of ['ExerciseGym', 'Service', 'FAQPage', 'OfferCatalog', 'Event'])
    expect([kind, kinds.has(kind)]).toEqual([kind, true])
})

test('sitemap, feed and robots.txt list existing pages; aliases and trailing slashes redirect', async ({ site }) => {
  const text = async (path: string) => (await bytesOf(site, path)).toString()
  const listed = [...(await text('/sitemap.xml')).matchAll(/<loc>([^<]*)/g)].map(([, url = '']) => pathOf(url))
  expect(listed.sort()).toEqual([...INDEXED].sort())
  const items = [...(await text('/blog/rss.xml')).matchAll(/<item>[\s\S]*?<link>([^<]*)/g)].map(([, url = '']) =>
    pathOf(url),
  )
  expect(items.sort()).toEqual(PUBLIC_PAGES.filter((path) => path.startsWith('/blog/')).sort())
  expect(await text('/robots.txt')).toMatch(/^Sitemap: https?:\/\/\S+\/sitemap\.xml$/m)
  const redirectOf = async (path: string) => {
    const response = await fetch(site.origin + path, { redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }
  for (const [alias, path] of Object.entries(ALIASES)) expect(await redirectOf(alias)).toEqual([301, path])
  for (const path of INDEXED.slice(1)) expect(await redirectOf(`${path}/`)).toEqual([301, path])
  for (const path of BEHIND_LOGIN) {
    expect((await fetch(site.origin + path)).headers.get('x-robots-tag')).toBe('noindex')
  }
})
