import { Feed } from 'feed'
import { SitemapStream, streamToPromise } from 'sitemap'
import { PAGES, STAND_IN } from '../../site-map.ts'
import { studio } from '../../studio.ts'
import { type Article, readLegalPages } from './front-matter.ts'

/** Pages that are no search result: there is nothing to read on them. */
const NOT_FOUND_BY_SEARCH = ['/email-verified', '/404']

/** Every page that may be found, absolute. Articles say when they were written; nobody knows when the others changed. */
export function sitemap(articles: readonly Article[]): Promise<string> {
  const stream = new SitemapStream({
    hostname: STAND_IN,
    xmlns: { news: false, xhtml: false, image: false, video: false },
  })
  for (const path of PAGES) if (!NOT_FOUND_BY_SEARCH.includes(path)) stream.write({ url: path })
  for (const { slug, date } of articles) stream.write({ url: `/blog/${slug}`, lastmod: date })
  for (const { slug } of readLegalPages()) stream.write({ url: `/${slug}` })
  stream.end()
  return streamToPromise(stream).then(String)
}

/** Pages behind the login say `noindex` themselves, which nobody would read who was kept out here. */
export function robots(): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${STAND_IN}/sitemap.xml\n`
}

/** The blog as RSS, newest first. */
export function feed(articles: readonly Article[]): string {
  const blog = new Feed({
    id: `${STAND_IN}/blog`,
    link: `${STAND_IN}/blog`,
    title: `${studio.name}: notes from the studio`,
    description: `Articles about reformer Pilates by ${studio.instructor.name}, ${studio.town}.`,
    language: 'en-GB',
    copyright: `© 2024 ${studio.name}`,
    favicon: `${STAND_IN}/favicon.svg`,
    feedLinks: { rss: `${STAND_IN}/blog/rss.xml` },
    generator: studio.name,
    updated: new Date(articles[0]?.date ?? 0),
  })
  for (const { slug, title, excerpt, date } of articles) {
    const link = `${STAND_IN}/blog/${slug}`
    blog.addItem({
      id: link,
      link,
      title,
      description: excerpt,
      date: new Date(date),
      author: [{ name: studio.instructor.name, email: studio.email }],
    })
  }
  return blog.rss2()
}
