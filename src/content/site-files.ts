import { Feed } from 'feed'
import { SitemapStream, streamToPromise } from 'sitemap'
import { NOT_FOUND_BY_SEARCH, PAGES } from '#site-map.ts'
import { studio } from '#studio.ts'

/** Text files that contain the site's URL, by path. */
export type SiteFiles = { [path: string]: { type: string; text: string } }

type Content = {
  articles: readonly { slug: string; title: string; excerpt: string; date: string }[]
  legalPages: readonly { slug: string }[]
}

/** @param origin without a trailing slash */
export async function siteFiles(origin: string, content: Content): Promise<SiteFiles> {
  return {
    '/robots.txt': { type: 'text/plain; charset=utf-8', text: robots(origin) },
    '/sitemap.xml': { type: 'application/xml; charset=utf-8', text: await sitemap(origin, content) },
    '/blog/rss.xml': { type: 'application/rss+xml; charset=utf-8', text: feed(origin, content) },
  }
}

/** Only articles have a date. */
function sitemap(origin: string, { articles, legalPages }: Content): Promise<string> {
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
function robots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`
}

/** The blog as RSS, newest first. */
function feed(origin: string, { articles }: Content): string {
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
