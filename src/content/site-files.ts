import { Feed } from 'feed'
import { SitemapStream, streamToPromise } from 'sitemap'
import type { PublicFacts } from '#facts/contract.ts'
import { NOT_FOUND_BY_SEARCH, PAGES } from '#site-map.ts'

/** Text files that contain the site's URL, by path. */
export type SiteFiles = { [path: string]: { type: string; text: string } }

type Content = {
  articles: readonly { slug: string; title: string; excerpt: string; date: string }[]
  legalPages: readonly { slug: string }[]
}

/** @param origin without a trailing slash */
export async function siteFiles(origin: string, content: Content, facts: PublicFacts): Promise<SiteFiles> {
  return {
    '/robots.txt': { type: 'text/plain; charset=utf-8', text: robots(origin, facts) },
    '/sitemap.xml': { type: 'application/xml; charset=utf-8', text: await sitemap(origin, content, facts) },
    '/blog/rss.xml': { type: 'application/rss+xml; charset=utf-8', text: feed(origin, content, facts) },
    '/site.webmanifest': {
      type: 'application/manifest+json; charset=utf-8',
      text: JSON.stringify(siteManifest(facts)),
    },
  }
}

const EMPTY_SITEMAP = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`

/** Only articles have a date. It lists no page that has `noindex`: none before the owner has confirmed the studio. */
async function sitemap(
  origin: string,
  { articles, legalPages }: Content,
  { isConfirmed }: PublicFacts,
): Promise<string> {
  // The library refuses to write an empty one.
  if (!isConfirmed) return EMPTY_SITEMAP
  const stream = new SitemapStream({
    hostname: origin,
    xmlns: { news: false, xhtml: false, image: false, video: false },
  })
  for (const path of PAGES) if (!NOT_FOUND_BY_SEARCH.includes(path)) stream.write({ url: path })
  for (const { slug, date } of articles) stream.write({ url: `/blog/${slug}`, lastmod: date })
  for (const { slug } of legalPages) stream.write({ url: `/${slug}` })
  stream.end()
  return streamToPromise(stream).then(String)
}

/** Pages behind the login have `noindex`, which crawlers must be able to read. */
function robots(origin: string, { isConfirmed }: PublicFacts): string {
  const sitemapLine = isConfirmed ? `\nSitemap: ${origin}/sitemap.xml\n` : ''
  return `User-agent: *\nDisallow: /api/\n${sitemapLine}`
}

/** For a phone's home screen; a long name is shortened to its first word below the icon. */
export function siteManifest({ name }: Pick<PublicFacts, 'name'>) {
  const icon = (file: string, size: number, purpose?: string) => ({
    src: `/${file}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const shortcut = (label: string, url: string) => ({ name: label, url, icons: [icon('icon', 192)] })
  return {
    name,
    short_name: name.length > SHORT_NAME ? name.split(' ')[0] : name,
    description: 'One-on-one and duo reformer Pilates',
    lang: 'en-GB',
    id: '/',
    start_url: '/dashboard',
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: [
      icon('icon', 192),
      icon('icon', 512),
      icon('icon-maskable', 192, 'maskable'),
      icon('icon-maskable', 512, 'maskable'),
    ],
    shortcuts: [
      shortcut('Book a class', '/booking'),
      shortcut('Find the studio', '/contact_harrogate_reformer_pilates'),
    ],
  }
}

const PAPER = '#FBF8F3'
/** Characters that fit below an icon on Android. */
const SHORT_NAME = 12

/** The blog as RSS, newest first. */
function feed(origin: string, { articles }: Content, { name, instructor, address }: PublicFacts): string {
  const blog = new Feed({
    id: `${origin}/blog`,
    link: `${origin}/blog`,
    title: `${name}: notes from the studio`,
    description: `Articles about reformer Pilates by ${instructor.name}, ${address.town}.`,
    language: 'en-GB',
    copyright: `© 2024 ${name}`,
    favicon: `${origin}/favicon.svg`,
    feedLinks: { rss: `${origin}/blog/rss.xml` },
    generator: name,
    updated: new Date(articles[0]?.date ?? 0),
  })
  for (const { slug, title, excerpt, date } of articles) {
    const link = `${origin}/blog/${slug}`
    blog.addItem({
      id: link,
      link,
      title,
      description: excerpt,
      date: new Date(date),
      author: [{ name: instructor.name }],
    })
  }
  return blog.rss2()
}
