import { compile } from '@mdx-js/mdx'
import rehypeSlug from 'rehype-slug'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import type { Plugin } from 'vite'
import { readArticles, readLegalPages } from './front-matter.ts'
import { renderShareCards } from './share-cards.ts'

/** Imported by `web/posts.ts` and `public/legal-page.tsx`. */
const LISTS = {
  'virtual:articles': readArticles,
  'virtual:legal-pages': readLegalPages,
}

const ELEMENTS = '/src/content/web/mdx-elements.tsx'

/** Compiles the MDX files of articles and legal pages, with lists and share pictures. Refuses invalid front matter. */
export function content(): Plugin {
  return {
    name: 'studio-content',
    enforce: 'pre',
    resolveId: (id) => (id in LISTS ? `\0${id}` : undefined),
    load(id) {
      const list = LISTS[id.slice(1) as keyof typeof LISTS]
      return id.startsWith('\0') && list ? `export default ${JSON.stringify(list())}` : undefined
    },
    async transform(text, id) {
      const [path = ''] = id.split('?')
      if (!path.endsWith('.mdx')) return undefined
      const remarkPlugins = [remarkFrontmatter, remarkGfm]
      const options = { remarkPlugins, rehypePlugins: [rehypeSlug], providerImportSource: ELEMENTS }
      const compiled = await compile({ value: text, path }, options)
      return { code: String(compiled), map: null }
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return
      const articles = readArticles()
      const emit = (fileName: string, source: string | Uint8Array) => this.emitFile({ type: 'asset', fileName, source })
      for (const { file, image } of await renderShareCards(articles)) emit(file.slice(1), image)
    },
    handleHotUpdate({ file, server }) {
      if (!file.endsWith('.mdx')) return
      for (const id of Object.keys(LISTS)) {
        const list = server.moduleGraph.getModuleById(`\0${id}`)
        if (list) server.moduleGraph.invalidateModule(list)
      }
    },
  }
}
