/** Built by `build/content-plugin.ts`. */
declare module 'virtual:articles' {
  const articles: import('../build/front-matter.ts').Article[]
  export default articles
}

declare module 'virtual:legal-pages' {
  const pages: import('../build/front-matter.ts').LegalPage[]
  export default pages
}

/** An article or a legal page. */
declare module '*.mdx' {
  export default function Text(): import('react').ReactNode
}
