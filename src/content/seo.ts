import type { Thing } from 'schema-dts'
import type { PublicFacts } from '#facts/contract.ts'
import { type MetaArguments, type Site, sharePicture, siteOf } from './site.ts'
import { breadcrumbs, graph } from './structured-data.ts'

type Crumb = { label: string; to?: string }

export type PageMeta = {
  /** Unique; the studio's name is added. */
  title: string
  /** Unique, 50 to 160 characters. */
  description: string
  /** For the canonical URL. */
  path: string
  /** The breadcrumbs after Home; defaults to the title. */
  crumbs?: readonly Crumb[]
  /** Structured data in addition to the breadcrumbs: see `structured-data.ts`. */
  data?: (site: Site) => readonly Thing[]
  article?: { date: string; author: string }
}

const feed = (site: Site) => ({
  tagName: 'link',
  rel: 'alternate',
  type: 'application/rss+xml',
  title: `${site.facts.name}: notes from the studio`,
  href: `${site.origin}/blog/rss.xml`,
})

/** The meta tags of a public page. Those for social networks, and structured data, are only in the server's HTML. */
export function pageMeta(args: MetaArguments, describe: PageMeta | ((facts: PublicFacts) => PageMeta)) {
  const site = siteOf(args)
  const page = typeof describe === 'function' ? describe(site.facts) : describe
  const { title, description, path } = page
  const tags = [
    { title: `${title} | ${site.facts.name}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: site.origin + path },
  ]
  // Search engines wait until the owner has confirmed whose studio it is.
  if (!site.facts.isConfirmed) tags.push({ name: 'robots', content: 'noindex' })
  return import.meta.env.SSR ? [...tags, ...socialTags(site, page)] : tags
}

function socialTags(site: Site, { title, description, path, crumbs = [{ label: title }], data, article }: PageMeta) {
  const share = sharePicture(site, path)
  const own = data?.(site) ?? []
  const things = path === '/' ? own : [breadcrumbs(site, path, crumbs), ...own]
  return [
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: article ? 'article' : 'website' },
    { property: 'og:locale', content: 'en_GB' },
    { property: 'og:site_name', content: site.facts.name },
    { property: 'og:url', content: site.origin + path },
    { property: 'og:image', content: share.url },
    { property: 'og:image:width', content: String(share.width) },
    { property: 'og:image:height', content: String(share.height) },
    { property: 'og:image:alt', content: `${title}, ${site.facts.name}` },
    ...(article
      ? [
          { property: 'article:published_time', content: article.date },
          { property: 'article:author', content: article.author },
        ]
      : []),
    { name: 'twitter:card', content: share.width > share.height ? 'summary_large_image' : 'summary' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: share.url },
    ...(path.startsWith('/blog') ? [feed(site)] : []),
    ...(things.length > 0 ? [{ 'script:ld+json': graph(things) }] : []),
  ]
}

/** The meta tags of a page that search engines leave out: it has no canonical address and no share picture. */
export function privateMeta(args: MetaArguments, title: string, description: string) {
  const site = siteOf(args)
  return [
    { title: `${title} | ${site.facts.name}` },
    { name: 'description', content: description },
    { name: 'robots', content: 'noindex' },
  ]
}
