import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { HOURS } from '#content/hour-of-room.ts'
import { siteManifest } from '#content/site-files.ts'
import { blogPictures } from '#content/web/blog-pictures.ts'
import { files as hourFiles } from '#content/web/hour-picture-files.ts'
import { files } from '#content/web/picture-files.ts'
import { pictures } from '#content/web/pictures.ts'
import { lightAt, roomIn } from '#content/web/room-at-hour.ts'
import { BEHIND_LOGIN, PAGES } from '#site-map.ts'
import { initialFacts } from '#studio.ts'
import type { PictureFiles, PictureSource } from '#ui/picture-source.ts'

const project = join(import.meta.dirname, '../..')
const served = join(project, 'public/assets/pictures')
const theme = readFileSync(join(project, 'src/ui/theme.css'), 'utf8')
const OTHER_HOURS = ['early', 'noon', 'evening'] as const
const rooms = OTHER_HOURS.map((hour): [string, PictureSource][] => {
  const { wide, portrait } = roomIn(lightAt(hour))
  return [
    [`room, ${hour}`, wide],
    [`room, ${hour}, for phones`, portrait],
  ]
})
const all: [string, PictureSource][] = [...Object.entries({ ...pictures, ...blogPictures }), ...rooms.flat()]

describe.each(all)('%s', (_name, picture) => {
  const folder = join(served, picture.folder)
  const versions = picture.widths.flatMap((width) => [`${width}.avif`, `${width}.webp`])

  test('exists in every stated width and format, and in no other', async () => {
    expect(picture.widths.at(-1)).toBe(picture.width)
    expect(readdirSync(folder).sort()).toEqual([...versions].sort())
    for (const version of versions) {
      const { width, height = 0, format } = await sharp(join(folder, version)).metadata()
      expect([version, width, format]).toEqual([
        version,
        Number.parseInt(version, 10),
        version.endsWith('avif') ? 'heif' : 'webp',
      ])
      expect(Math.abs(height - ((width ?? 0) * picture.height) / picture.width)).toBeLessThan(1)
    }
  })

  test('has a folder named after its content: browsers keep the files for ever', () => {
    const hash = createHash('sha256')
    for (const version of versions) hash.update(readFileSync(join(folder, version)))
    expect(picture.folder.split('.').at(-1)).toBe(hash.digest('hex').slice(0, 8))
  })

  test('is labelled as a visualisation, not as the real room', () => {
    expect(picture.alt).toMatch(/^Visualisation of /)
    expect(picture.alt).not.toMatch(/\b(our|the) (studio|room)\b/i)
    for (const fact of [initialFacts.name, initialFacts.address.town, initialFacts.instructor.name])
      expect(picture.alt).not.toContain(fact)
  })

  test('appears immediately as a colour and a blur of at most 200 bytes', () => {
    expect(picture.colour).toMatch(/^#[0-9a-f]{6}$/)
    expect(picture.blur?.length).toBeGreaterThan(40)
    expect(picture.blur?.length).toBeLessThanOrEqual(200)
  })
})

test('a phone fetches no more for the room at another hour than in the morning', () => {
  const bytes = ({ folder }: PictureSource, file: string) => statSync(join(served, folder, file)).size
  for (const hour of OTHER_HOURS) {
    const { portrait } = roomIn(lightAt(hour))
    for (const width of portrait.widths)
      for (const file of [`${width}.avif`, `${width}.webp`])
        expect(bytes(portrait, file), `${hour}, ${file}`).toBeLessThanOrEqual(bytes(pictures.heroPortrait, file))
  }
})

test('has the same sizes at every hour, so that pages vary only in the light', () => {
  const measures = ({ width, height, widths }: PictureFiles) => ({ width, height, widths })
  for (const [name, of] of Object.entries(hourFiles))
    expect([name, measures(of)]).toEqual([name, measures(name.endsWith('Wide') ? files.heroWide : files.heroPortrait)])
})

test('words can be read on the plain half of the strap’s wall, shadows and all', async () => {
  const { folder, width, height } = pictures.strap
  const half = sharp(join(served, folder, `${width}.webp`)).extract({ left: 0, top: 0, width: width / 2, height })
  const pixels = await half.removeAlpha().raw().toBuffer()
  let darkest = 1
  for (let i = 0; i < pixels.length; i += 3) darkest = Math.min(darkest, luminance(pixels.subarray(i, i + 3)))
  const ink = luminance(Buffer.from(/--color-ink: #(\w+)/.exec(theme)?.[1] ?? '', 'hex'))
  expect((darkest + 0.05) / (ink + 0.05)).toBeGreaterThan(4.5)
})

/** Relative luminance of a colour, by WCAG. */
function luminance(rgb: Uint8Array): number {
  const [r = 0, g = 0, b = 0] = [...rgb].map((part) =>
    part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

test('serves the pictures that pages name, and no others', () => {
  expect(readdirSync(served).sort()).toEqual(all.map(([, { folder }]) => folder).sort())
})

test('mails name a JPEG of the room for each hour, 1200 x 300 and light enough for a letter', async () => {
  const letters = join(project, 'public/email-pictures')
  expect(readdirSync(letters).sort()).toEqual(HOURS.map((hour) => `room-${hour}.jpg`).sort())
  for (const hour of HOURS) {
    const file = join(letters, `room-${hour}.jpg`)
    expect(await sharp(file).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 300 })
    expect(statSync(file).size, hour).toBeLessThanOrEqual(45_000)
  }
})

test('pages show pictures through Picture only, except those of a letter: no img of their own', () => {
  const letters = join('pages', 'admin', 'messages')
  const drawn = globSync('src/**/*.tsx', { cwd: project }).filter(
    (file) =>
      !file.endsWith(join('ui', 'picture.tsx')) &&
      !file.includes(letters) &&
      /<img\b/.test(readFileSync(join(project, file), 'utf8')),
  )
  expect(drawn).toEqual([])
})

describe('icons', () => {
  const manifest = siteManifest(initialFacts)
  const document = readFileSync(join(project, 'src/root.tsx'), 'utf8')

  test('the manifest repeats the studio’s name and the theme’s paper', () => {
    const paper = /--color-paper: (#\w+)/.exec(theme)?.[1]
    expect(manifest.name).toBe(initialFacts.name)
    expect(initialFacts.name.startsWith(manifest.short_name ?? '?')).toBe(true)
    expect(manifest.background_color.toLowerCase()).toBe(paper)
    expect(manifest.theme_color.toLowerCase()).toBe(paper)
    expect(document.toLowerCase()).toContain(`content="${paper}"`)
  })

  test('the installed site opens in its own window, at a member’s home; its shortcuts lead to pages of the site', () => {
    expect(manifest).toMatchObject({ display: 'standalone', id: '/', scope: '/', start_url: '/dashboard' })
    const pages: readonly string[] = [...PAGES, ...BEHIND_LOGIN]
    const addresses = manifest.shortcuts.map(({ url }: { url: string }) => url)
    expect(addresses).toHaveLength(2)
    for (const address of [manifest.start_url, ...addresses]) expect(pages).toContain(address)
  })

  test('every icon exists in its stated size, the maskable ones without a clear pixel', async () => {
    expect(manifest.icons.map((icon: { sizes: string; purpose?: string }) => [icon.sizes, icon.purpose])).toEqual([
      ['192x192', undefined],
      ['512x512', undefined],
      ['192x192', 'maskable'],
      ['512x512', 'maskable'],
    ])
    for (const { src, sizes, purpose } of manifest.icons) {
      const icon = sharp(join(project, 'public', src))
      const { width, height } = await icon.metadata()
      expect(`${width}x${height}`).toBe(sizes)
      if (purpose === 'maskable') expect((await icon.stats()).isOpaque).toBe(true)
    }
  })

  test.each([
    ['icon-32.png', 32, 32],
    ['apple-touch-icon.png', 180, 180],
    ['share.jpg', 1200, 630],
  ])('%s is %i x %i', async (file, width, height) => {
    expect(await sharp(join(project, 'public', file)).metadata()).toMatchObject({ width, height })
  })

  test('the document names icons that exist', () => {
    const named = [...document.matchAll(/href: '\/([\w.-]+)'/g)].map(([, file = '']) => file)
    expect(named.length).toBeGreaterThan(3)
    for (const file of named.filter((name) => name !== 'site.webmanifest'))
      expect(existsSync(join(project, 'public', file)), file).toBe(true)
  })
})
