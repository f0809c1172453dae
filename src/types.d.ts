declare module '@lucide/icons/icons/*' {
  const icon: import('./ui/icon.tsx').IconData
  export default icon
}

/** The package hides its own types behind its `exports`. */
declare module 'date-easter' {
  export function easter(year: number): { year: number; month: number; day: number }
}

declare module 'virtual:password-dictionary' {
  /** Words separated by blanks, the likeliest first. */
  const texts: { passwords: string; diceware: string }
  export default texts
}

/** Built by `content/build/content-plugin.ts`. */
declare module 'virtual:articles' {
  const articles: import('./content/build/front-matter.ts').Article[]
  export default articles
}

declare module 'virtual:legal-pages' {
  const pages: import('./content/build/front-matter.ts').LegalPage[]
  export default pages
}

/** An article or a legal page. */
declare module '*.mdx' {
  export default function Text(): import('react').ReactNode
}

/** A script as text: see scripts/lib/inline-scripts.ts. */
declare module '*?script' {
  const text: string
  export default text
}
