import { Feed } from 'feed'
import { SitemapStream, streamToPromise } from 'sitemap'
import { NOT_FOUND_BY_SEARCH, PAGES } from '#site-map.ts'
import { studio } from '#studio.ts'

/** Texts besides pages that name the site's address, by their paths. */
export type SiteFiles = { [path: string]: { type: string; text: string } }

type Written = {
  articles: readonly { slug: string; title: string; excerpt: string; date: string }[]
  legalPages: readonly { slug: string }[]
}

/** @param origin where the site lives, without a slash at the end */
export async function siteFiles(origin: string, written: Written): Promise<SiteFiles> {
  return {
    '/robots.txt': { type: 'text/plain; charset=utf-8', text: robots(origin) },
    '/sitemap.xml': { type: 'application/xml; charset=utf-8', text: await sitemap(origin, written) },
    '/blog/rss.xml': { type: 'application/rss+xml; charset=utf-8', text: feed(origin, written) },
  }
}

/** Every page that may be found, absolute. Articles say when they were written; nobody knows when the others changed. */
function sitemap(origin: string, { articles, legalPages }: Written): Promise<string> {
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

/** Pages behind the login say `noindex` themselves, which nobody would read who was kept out here. */
function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`
}

/** The blog as RSS, newest first. */
function feed(origin: string, { articles }: Written): string {
  const blog = new Feed({
    id: `${origin}/blog`,
    link: `${origin}/blog`,
    title: `${studio.name}: notes from the studio`,
    description: `Articles about reformer Pilates by ${studio.instructor.name}, ${studio.town}.`,
    language: 'en-GB',
    copyright: `© 2024 ${studio.name}`,
    favicon: `${origin}/favicon.svg`,
    feedLinks: { rss: `${origin}/blog/rss.xml` },
    generator: studio.name,
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
      author: [{ name: studio.instructor.name }],
    })
  }
  return blog.rss2()
}
