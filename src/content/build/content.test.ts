import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { publicFacts } from '#facts/rules.ts'
import { publicPages } from '#site-map.ts'
import { initialFacts } from '#studio.ts'
import { siteFiles } from '../site-files.ts'
import { ARTICLES, LEGAL, readArticles, readLegalPages } from './front-matter.ts'

const folder = mkdtempSync(join(tmpdir(), 'studio-content-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const articles = readArticles()
const legal = readLegalPages()
const texts = [
  ...articles.map(({ slug }) => [slug, readFileSync(join(ARTICLES, `${slug}.mdx`), 'utf8')] as const),
  ...legal.map(({ slug }) => [slug, readFileSync(join(LEGAL, `${slug}.mdx`), 'utf8')] as const),
]

describe('the articles', () => {
  test('are listed with the specified dates and reading times, newest first', () => {
    expect(articles.map(({ slug, date, minutes }) => [slug, date, minutes])).toEqual([
      ['reformer-pilates-costs-uk', '2025-05-14', 4],
      ['reformer-pilates-core-strength', '2024-08-01', 5],
      ['one-on-one-vs-group-classes', '2024-07-01', 4],
      ['preparing-first-reformer-pilates-session', '2024-06-01', 5],
    ])
  })

  test.each(articles.map(({ slug, words }) => [slug, words]))('%s has 600 to 900 words (%i)', (_, words) => {
    expect(words).toBeGreaterThanOrEqual(600)
    expect(words).toBeLessThanOrEqual(900)
  })
})

describe('the legal pages', () => {
  const sections = Object.fromEntries(legal.map(({ slug, sections }) => [slug, sections.map(({ title }) => title)]))

  test('the refund policy has its five sections', () => {
    expect(sections['refund-policy']).toEqual([
      'Class Passes',
      '14-Day Cooling-Off',
      'Cancellations by Clients',
      'Cancellations by the studio',
      'Exceptional Circumstances',
    ])
  })

  test.each([
    ['terms-and-conditions', 11],
    ['privacy-policy', 12],
  ])('%s counts %i sections', (slug, count) => {
    const numbers = Array.from({ length: count }, (_, i) => `${i + 1}.`)
    expect(sections[slug]?.map((title) => title.split(' ')[0])).toEqual(numbers)
  })
})

test.each(texts)('%s has a calm tone, and takes the owner’s policies from studio.ts', (_, text) => {
  expect(text).not.toMatch(/!/)
  expect(text).not.toMatch(
    /\b(journey|wellness|transform|detox|holistic|glow|empower|amazing|cure[sd]?|heal(s|ed|ing)?)\b/i,
  )
  // American spellings that slip in most easily.
  expect(text).not.toMatch(/\b(center|color|program|practicing|personaliz\w+|organiz\w+|favorite)\b/i)
  const owners =
    /Aldergate|Eleanor|Marsh\b|Harrogate(?!-reformer)|HG1|01632|@aldergate|\b(45|120) minutes|12 hours|10\s?%/
  expect(text.replace(/\]\([^)]*\)/g, ']')).not.toMatch(owners)
})

describe('front matter', () => {
  const write = (name: string, front: string) => {
    writeFileSync(join(folder, name), `---\n${front}\n---\n\n# Text\n`)
    return () => readArticles(folder)
  }
  const GOOD = `title: A\nexcerpt: ${'x'.repeat(60)}\ndate: 2024-01-01\npicture: blogRing`

  test('makes an article of a complete file', () => {
    expect(write('fine.mdx', GOOD)()).toMatchObject([{ slug: 'fine', title: 'A', date: '2024-01-01', minutes: 1 }])
  })

  test.each([
    ['a missing title', GOOD.replace('title: A\n', ''), 'title'],
    ['a description that search engines would cut', GOOD.replace('x'.repeat(60), 'x'.repeat(161)), 'at most 160'],
    ['an invalid date', GOOD.replace('2024-01-01', '1 July'), 'a day like 2025-05-14'],
    ['an unknown picture', GOOD.replace('blogRing', 'blogMoon'), 'wide crop'],
    ['an unknown key', `${GOOD}\nautor: me`, 'autor'],
  ])('with %s fails the build, naming the file and the error', (_, front, fault) => {
    const reading = write('fine.mdx', front)
    expect(reading).toThrow(fault)
    expect(reading).toThrow('fine.mdx')
  })

  test('refuses a name that cannot be a URL', () => {
    write('fine.mdx', GOOD)
    expect(write('Über uns.mdx', GOOD)).toThrow('lower-case letters')
    rmSync(join(folder, 'Über uns.mdx'))
  })
})

describe('files generated from the articles', () => {
  const ORIGIN = 'https://www.studio.example'
  const slugs = { articles: articles.map(({ slug }) => slug), legal: legal.map(({ slug }) => slug) }
  const textAt = async (path: string) =>
    (await siteFiles(ORIGIN, { articles, legalPages: legal }, publicFacts(initialFacts, '2026-12-07')))[path]?.text ??
    ''

  test('the sitemap lists every public page, with the date of each article', async () => {
    const xml = await textAt('/sitemap.xml')
    const listed = [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)
    const found = publicPages(slugs).filter((path) => !['/email-verified', '/404'].includes(path))
    expect(listed.sort()).toEqual(found.map((path) => (path === '/' ? `${ORIGIN}/` : ORIGIN + path)).sort())
    expect(xml.match(/<lastmod>2025-05-14/g)).toHaveLength(1)
  })

  test('the feed lists every article', async () => {
    const xml = await textAt('/blog/rss.xml')
    expect([...xml.matchAll(/<item>[\s\S]*?<link>([^<]*)/g)].map(([, link]) => link)).toEqual(
      slugs.articles.map((slug) => `${ORIGIN}/blog/${slug}`),
    )
    expect(xml).toContain('<pubDate>Wed, 14 May 2025')
  })

  test('robots.txt names the sitemap and disallows only the API', async () => {
    const text = await textAt('/robots.txt')
    expect(text.match(/^(Dis)?allow:.*$/gim)).toEqual(['Disallow: /api/'])
    expect(text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`)
  })

  test('lists no page until the owner has confirmed the site', async () => {
    const facts = publicFacts(initialFacts, '2026-12-07', false)
    const files = await siteFiles(ORIGIN, { articles, legalPages: legal }, facts)
    expect(files['/sitemap.xml']?.text).not.toContain('<url>')
    expect(files['/robots.txt']?.text).toBe('User-agent: *\nDisallow: /api/\n')
  })
})

test('terms and sign-up name the age, and a guardian’s written consent', () => {
  const terms = readFileSync(join(LEGAL, 'terms-and-conditions.mdx'), 'utf8')
  const signUp = readFileSync('src/accounts/web/register/register-form.tsx', 'utf8').replace(/\s+/g, ' ')
  for (const text of [terms, signUp]) expect(text).toMatch(/aged 18 and over.*minor.*duo session.*written consent/s)
})
