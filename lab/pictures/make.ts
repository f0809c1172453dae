/**
 * npm run lab -- pictures: makes every picture, icon, share card and letterhead from `assets/`, and the list of sizes
 * that `Picture` reads. The output is committed, so that `npm start` and the build need not process images. Takes some
 * minutes.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { makeBrand } from './brand.ts'
import { CROPS, type Crop } from './crops.ts'
import { makeEmailPictures } from './email-pictures.ts'

const project = join(import.meta.dirname, '../..')
const masters = join(project, 'assets/pictures/masters')
/** Cached by browsers for ever; folder names contain a hash. */
const served = join(project, 'public/assets/pictures')

const WIDTHS = [320, 480, 640, 800, 960, 1280, 1600]
/** Widths above this share of the crop are skipped. */
const CLOSE = 0.9
/** Chosen by eye: with less the floor and the shadows smear. */
const AVIF = { quality: 50, effort: 5, chromaSubsampling: '4:2:0' }
const WEBP = { quality: 76, effort: 6, smartSubsample: true }

/** One picture in the manifest. */
type Made = { folder: string; width: number; height: number; widths: number[]; colour: string; blur: string }

async function makePicture(name: string, crop: Crop): Promise<Made> {
  const { whole, width, height } = await cropped(crop)
  const { lighter = 0 } = crop
  const avif = { ...AVIF, quality: AVIF.quality - lighter }
  const webp = { ...WEBP, quality: WEBP.quality - lighter }
  const widths = [...WIDTHS.filter((each) => each < width * CLOSE), width]
  const files: { file: string; bytes: Buffer }[] = []
  for (const each of widths) {
    const sized = await sharp(whole).resize(each).sharpen({ sigma: 0.6, m1: 0.4, m2: 1.2 }).png().toBuffer()
    files.push({ file: `${each}.avif`, bytes: await sharp(sized).avif(avif).toBuffer() })
    files.push({ file: `${each}.webp`, bytes: await sharp(sized).webp(webp).toBuffer() })
  }
  const folder = `${kebab(name)}.${hashOf(files.map(({ bytes }) => bytes))}`
  await mkdir(join(served, folder), { recursive: true })
  for (const { file, bytes } of files) await writeFile(join(served, folder, file), bytes)
  return { folder, width, height, widths, ...(await placeholderOf(whole)) }
}

async function cropped({ master, aspect, x = 0.5, y = 0.5, mirrored = false }: Crop) {
  const source = sharp(join(masters, `${master}.webp`))
  const { width: w = 0, height: h = 0 } = await source.metadata()
  const width = aspect && w / h > aspect ? Math.round(h * aspect) : w
  const height = aspect && w / h <= aspect ? Math.round(w / aspect) : h
  const left = Math.round((w - width) * x)
  const top = Math.round((h - height) * y)
  const area = source.extract({ left, top, width, height })
  return { whole: await (mirrored ? area.flop() : area).png().toBuffer(), width, height }
}

/** The placeholder: mean colour, and a tiny blurred WebP in base64. */
async function placeholderOf(whole: Buffer): Promise<{ colour: string; blur: string }> {
  const [r, g, b] = await sharp(whole).resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  const colour = `#${[r, g, b].map((part) => (part ?? 0).toString(16).padStart(2, '0')).join('')}`
  const tiny = sharp(whole).resize(12, 12, { fit: 'inside' }).blur(0.6) as Sharp
  const blur = await tiny.webp({ quality: 20, alphaQuality: 0, effort: 6 }).toBuffer()
  return { colour, blur: blur.toString('base64') }
}

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function hashOf(files: Buffer[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file)
  return hash.digest('hex').slice(0, 8)
}

const MADE =
  '// Made by `npm run lab -- pictures` (lab/pictures/make.ts) out of the masters in assets/pictures. Not for editing.'

/** A separate file, because only prerendered HTML uses them. */
function blursOf(made: [string, Made][]): string {
  const lines = made.map(([name, { blur }]) => `  ${name}: '${blur}',`)
  return `${MADE}

/** A dozen blurred pixels of each picture: WebP in base64. */
export const blurs = {
${lines.join('\n')}
} as const
`
}

function manifestOf(made: [string, Made][]): string {
  const lines = made.map(([name, { blur: _, ...files }]) => `  ${name}: ${JSON.stringify(files)},`)
  return `${MADE}
import type { PictureFiles } from '#ui/picture-source.ts'

export const files = {
${lines.join('\n')}
} as const satisfies Record<string, PictureFiles>
`
}

if (import.meta.main) {
  await rm(served, { recursive: true, force: true })
  const made: [string, Made][] = []
  await Promise.all(
    Object.entries(CROPS).map(async ([name, crop]) => {
      const picture = await makePicture(name, crop)
      console.log(`${name}: ${picture.width} x ${picture.height}, ${picture.widths.length} widths`)
      made.push([name, picture])
    }),
  )
  const order = Object.keys(CROPS)
  made.sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
  const isOfBlog = ([name]: [string, Made]) => name.startsWith('blog')
  const isOfHour = ([name]: [string, Made]) => /^hero(Early|Noon|Evening)/.test(name)
  const written = {
    'picture-files.ts': manifestOf(made.filter((each) => !isOfBlog(each) && !isOfHour(each))),
    'hour-picture-files.ts': manifestOf(made.filter(isOfHour)),
    'blog-picture-files.ts': manifestOf(made.filter(isOfBlog)),
    'picture-blurs.ts': blursOf(made),
  }
  const web = join(project, 'src/content/web')
  for (const [file, text] of Object.entries(written)) await writeFile(join(web, file), text)
  const biome = join(project, 'node_modules/@biomejs/biome/bin/biome')
  const files = Object.keys(written).map((file) => join(web, file))
  execFileSync(process.execPath, [biome, 'format', '--write', ...files])
  await makeBrand(project)
  await makeEmailPictures(project)
}
