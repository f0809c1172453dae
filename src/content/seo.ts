import { studio } from '../studio.ts'

/** Title, description, canonical path and share picture of a public page. */
export function pageMeta({ title, description, path }: { title: string; description: string; path: string }) {
  return [
    { title: `${title} | ${studio.name}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: path },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:locale', content: 'en_GB' },
    { property: 'og:site_name', content: studio.name },
    { property: 'og:url', content: path },
    { property: 'og:image', content: '/share.jpg' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]
}

/** Pages behind the login are nobody's search result. */
export function privateMeta(title: string) {
  return [{ title: `${title} | ${studio.name}` }, { name: 'robots', content: 'noindex' }]
}
