import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createElement } from 'react'
import satori from 'satori'
import sharp from 'sharp'
import { initialFacts } from '#studio.ts'
import { shareCardOf } from '../site.ts'
import { files as blogFiles } from '../web/blog-picture-files.ts'
import { files as pageFiles } from '../web/picture-files.ts'

import { type Article, readLegalPages } from './front-matter.ts'

const files = { ...pageFiles, ...blogFiles }

type Card = { path: string; words: string; below: string; picture: keyof typeof files }

const { name, address, instructor } = initialFacts
const WHERE = `${address.town}, ${address.county}`
/** Articles and legal pages use their titles. `npm run lab -- pictures` makes the home page's picture. */
const CARDS: Card[] = [
  { path: '/about', words: 'A small studio, on purpose', below: WHERE, picture: 'galleryStool' },
  {
    path: '/harrogate-reformer-pilates-classes',
    words: 'One person, or two',
    below: `Classes and weekly schedule`,
    picture: 'classDuo',
  },
  { path: '/pricing', words: 'Simple prices, no membership', below: 'Class passes', picture: 'galleryCarriage' },
  {
    path: '/contact_harrogate_reformer_pilates',
    words: 'Come and find us',
    below: WHERE,
    picture: 'galleryWindow',
  },
  { path: '/blog', words: 'Notes from the studio', below: WHERE, picture: 'blogSill' },
  { path: '/auth', words: 'Your place in the studio', below: 'Log in or sign up', picture: 'galleryNiche' },
]

const SIZE = { width: 1200, height: 630 }
const WORDS_WIDTH = 530
const [PAPER, INK, INK_SOFT] = ['#FBF8F3', '#2B2722', '#5A5249']

/** Draws the share pictures of all pages except the home page. `file` is the path. */
export async function renderShareCards(articles: readonly Article[]): Promise<{ file: string; image: Uint8Array }[]> {
  const cards = [
    ...CARDS,
    ...articles.map(({ slug, title, picture }) => ({
      path: `/blog/${slug}`,
      words: title,
      below: `${instructor.name}, ${address.town}`,
      picture,
    })),
    ...readLegalPages().map(({ slug, title }) => ({
      path: `/${slug}`,
      words: title,
      below: WHERE,
      picture: 'galleryShelf' as const,
    })),
  ]
  const fonts = await loadFonts()
  return Promise.all(cards.map(async (card) => ({ file: shareCardOf(card.path), image: await draw(card, fonts) })))
}

async function loadFonts() {
  const face = (file: string) => readFile(join(process.cwd(), 'node_modules/@fontsource', file))
  return [
    { name: 'serif', data: await face('instrument-serif/files/instrument-serif-latin-400-normal.woff') },
    { name: 'sans', data: await face('figtree/files/figtree-latin-400-normal.woff') },
  ]
}

/** Long words are smaller, so that they take at most four lines. */
function sizeOf({ length }: string): number {
  if (length > 44) return 60
  return length > 28 ? 70 : 84
}

async function draw({ words, below, picture }: Card, fonts: Awaited<ReturnType<typeof loadFonts>>): Promise<Buffer> {
  const { folder, width } = files[picture]
  const room = await sharp(join(process.cwd(), 'public/assets/pictures', folder, `${width}.webp`))
    .resize(SIZE.width - WORDS_WIDTH, SIZE.height)
    .toBuffer()
  const svg = await satori(layout(words, below), { width: WORDS_WIDTH, height: SIZE.height, fonts })
  return sharp({ create: { ...SIZE, channels: 3, background: PAPER as string } })
    .composite([
      { input: room, left: WORDS_WIDTH, top: 0 },
      { input: Buffer.from(svg), left: 0, top: 0 },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}

function layout(words: string, below: string) {
  const column = {
    width: WORDS_WIDTH,
    height: SIZE.height,
    boxSizing: 'border-box',
    padding: '62px 36px 58px 68px',
    display: 'flex',
    flexDirection: 'column',
    justifyContent: 'space-between',
    color: INK,
    fontFamily: 'serif',
  } as const
  return createElement(
    'div',
    { style: column },
    createElement('div', { style: { fontSize: 42, letterSpacing: '-0.01em' } }, name),
    createElement(
      'div',
      { style: { fontSize: sizeOf(words), lineHeight: 1, letterSpacing: '-0.02em', textWrap: 'balance' } },
      words,
    ),
    createElement('div', { style: { fontSize: 25, fontFamily: 'sans', color: INK_SOFT } }, below),
  )
}
