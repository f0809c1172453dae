import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import GithubSlugger from 'github-slugger'
import { toString as wordsIn } from 'mdast-util-to-string'
import remarkFrontmatter from 'remark-frontmatter'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { matter } from 'vfile-matter'
import { z } from 'zod'
import { files } from '../web/blog-picture-files.ts'

/** Reading time is rounded up to whole minutes. */
const WORDS_PER_MINUTE = 200

const Description = z
  .string()
  .min(50, 'must be at least 50 characters: search engines show it')
  .max(160, 'must be at most 160 characters: search engines cut it there')

type WithoutWide<Name> = Name extends `${infer Narrow}Wide` ? Narrow : never
type BlogPicture = WithoutWide<keyof typeof files>
const isBlogPicture = (name: unknown) => typeof name === 'string' && name in files && `${name}Wide` in files

const strict = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? `has unknown keys: ${issue.keys.join(', ')}` : undefined,
}

const ArticleMatter = z.strictObject(
  {
    title: z.string().min(1).max(70, 'must be at most 70 characters'),
    /** In lists and for search engines. */
    excerpt: Description,
    /** Quoted or not: `2025-05-14`. */
    date: z.iso.date('must be a day like 2025-05-14'),
    /** A picture in `web/blog-pictures.ts` that also has a wide crop: `blogRing` and `blogRingWide`. */
    picture: z.custom<BlogPicture>(isBlogPicture, 'must name a picture that has a wide crop as well'),
  },
  strict,
)

const LegalMatter = z.strictObject(
  {
    title: z.string().min(1),
    description: Description,
    /** The date of this version. */
    since: z.iso.date('must be a day like 2025-05-14'),
    /** The label of the button to the booking page; without it there are no buttons. */
    book: z.string().optional(),
  },
  strict,
)

export type Article = z.output<typeof ArticleMatter> & { slug: string; words: number; minutes: number }
/** `id` is the same as that of `rehype-slug`. */
export type Section = { id: string; title: string }
export type LegalPage = z.output<typeof LegalMatter> & { slug: string; sections: Section[] }

const CONTENT = join(process.cwd(), 'src/content')
export const ARTICLES = join(CONTENT, 'articles')
export const LEGAL = join(CONTENT, 'legal')

/** Newest first. The file name is the slug. @throws with the file and the error */
export function readArticles(folder = ARTICLES): Article[] {
  return filesIn(folder)
    .map((file) => {
      const { slug, front, text } = read(file, ArticleMatter)
      const words = countWords(text)
      return { slug, ...front, words, minutes: Math.ceil(words / WORDS_PER_MINUTE) }
    })
    .sort((a, b) => (a.date < b.date ? 1 : -1))
}

/** The file name is the path. @throws with the file and the error */
export function readLegalPages(): LegalPage[] {
  return filesIn(LEGAL).map((file) => {
    const { slug, front, text } = read(file, LegalMatter)
    return { slug, ...front, sections: sectionsOf(text) }
  })
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.mdx'))
  return names.sort().map((name) => join(folder, name))
}

function read<Matter>(file: string, schema: z.ZodType<Matter>): { slug: string; front: Matter; text: string } {
  const text = readFileSync(file, 'utf8')
  const slug = basename(file, '.mdx')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    throw new Error(`${file}: use only lower-case letters, digits and hyphens in the name`)
  const vfile = new VFile(text)
  matter(vfile)
  const front = schema.safeParse(vfile.data.matter ?? {})
  if (!front.success) throw new Error(`${file}: the front matter is invalid\n${z.prettifyError(front.error)}`)
  return { slug, front: front.data, text }
}

const markdown = unified().use(remarkParse).use(remarkFrontmatter).use(remarkMdx)

/** Counts headings and paragraphs, without front matter and imports. An expression counts as a word. */
function countWords(text: string): number {
  const { children } = markdown.parse(text)
  const read = children.filter(({ type }) => type !== 'yaml' && type !== 'mdxjsEsm')
  return read
    .map((node) => wordsIn(node))
    .join(' ')
    .split(/\s+/)
    .filter(Boolean).length
}

function sectionsOf(text: string): Section[] {
  const slugger = new GithubSlugger()
  const headings = markdown.parse(text).children.filter((node) => node.type === 'heading' && node.depth === 2)
  return headings.map((heading) => {
    const title = wordsIn(heading)
    return { id: slugger.slug(title), title }
  })
}
