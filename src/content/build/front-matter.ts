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

/** Words somebody reads in a minute. The shown minutes are whole ones, rounded up. */
const WORDS_A_MINUTE = 200

const Description = z
  .string()
  .min(50, 'must be at least 50 characters: search engines show it')
  .max(160, 'must be at most 160 characters: search engines cut it there')

type WithoutWide<Name> = Name extends `${infer Narrow}Wide` ? Narrow : never
type BlogPicture = WithoutWide<keyof typeof files>
const isBlogPicture = (name: unknown) => typeof name === 'string' && name in files && `${name}Wide` in files

/** Names what it does not know, whatever else the process says of faults. */
const onlyKnown = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? `has ${issue.keys.join(', ')}, which means nothing` : undefined,
}

const ArticleMatter = z.strictObject(
  {
    title: z.string().min(1).max(70, 'must be at most 70 characters'),
    /** In lists and for search engines. */
    excerpt: Description,
    /** Quoted or not: `2025-05-14`. */
    date: z.iso.date('must be a day like 2025-05-14'),
    /** A picture with its wide crop, by its name in `web/blog-pictures.ts`: `blogRing`, beside `blogRingWide`. */
    picture: z.custom<BlogPicture>(isBlogPicture, 'must name a picture that has a wide crop as well'),
  },
  onlyKnown,
)

const LegalMatter = z.strictObject(
  {
    title: z.string().min(1),
    description: Description,
    /** Since when it says what it says. */
    since: z.iso.date('must be a day like 2025-05-14'),
    /** What the button to the booking page says, beside Contact Us; without it there are no buttons. */
    book: z.string().optional(),
  },
  onlyKnown,
)

export type Article = z.output<typeof ArticleMatter> & { slug: string; words: number; minutes: number }
/** A heading of a text, and the id that `rehype-slug` gives it. */
export type Section = { id: string; title: string }
export type LegalPage = z.output<typeof LegalMatter> & { slug: string; sections: Section[] }

const CONTENT = join(process.cwd(), 'src/content')
export const ARTICLES = join(CONTENT, 'articles')
export const LEGAL = join(CONTENT, 'legal')

/** The articles in a folder, newest first. A file's name is its slug. @throws naming file and fault */
export function readArticles(folder = ARTICLES): Article[] {
  return filesIn(folder)
    .map((file) => {
      const { slug, front, text } = read(file, ArticleMatter)
      const words = countWords(text)
      return { slug, ...front, words, minutes: Math.ceil(words / WORDS_A_MINUTE) }
    })
    .sort((a, b) => (a.date < b.date ? 1 : -1))
}

/** The legal pages in a folder. A file's name is its path. @throws naming file and fault */
export function readLegalPages(folder = LEGAL): LegalPage[] {
  return filesIn(folder).map((file) => {
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
    throw new Error(`${file}: a name may have small letters, digits and dashes`)
  const vfile = new VFile(text)
  matter(vfile)
  const front = schema.safeParse(vfile.data.matter ?? {})
  if (!front.success)
    throw new Error(`${file}: the lines between the dashes are wrong\n${z.prettifyError(front.error)}`)
  return { slug, front: front.data, text }
}

const markdown = unified().use(remarkParse).use(remarkFrontmatter).use(remarkMdx)

/** What somebody reads: headings and paragraphs, without front matter and imports. A fact from `studio.ts` is a word. */
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
