import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import sharp from 'sharp'

/** Tolerated difference of a colour, of 255: fonts vary a little. */
const TOLERANCE = 16
const SHOWN = 'differences'
const PAGE = 'differences.html'

/** Files by scene: `phone/home-visitor` for `phone/001-home-visitor.png`. */
async function picturesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const file of glob('*/*.png', { cwd: folder, exclude: [SHOWN] })) {
    found.set(`${dirname(file)}/${basename(file, '.png').replace(/^\d+-/, '')}`, join(folder, file))
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * Compares two pictures from their upper left corner.
 *
 * @returns the share of different pixels, and a picture of them in white; undefined if the pictures are the same
 */
async function differenceOf(before: string, after: string): Promise<{ share: number; picture: Buffer } | undefined> {
  const [older, newer] = await Promise.all([before, after].map((file) => readFile(file)))
  if (!older || !newer || older.equals(newer)) return undefined
  const sizes = await Promise.all([older, newer].map((picture) => sharp(picture).metadata()))
  const [width, height] = [Math.max(...sizes.map((one) => one.width)), Math.max(...sizes.map((one) => one.height))]
  const canvas = { create: { width, height, channels: 3 as const, background: 'white' } }
  const onCanvas = (picture: Buffer) =>
    sharp(canvas)
      .composite([{ input: picture, left: 0, top: 0 }])
      .png()
      .toBuffer()
  const picture = await sharp(await onCanvas(older))
    .composite([{ input: await onCanvas(newer), blend: 'difference' }])
    .removeAlpha()
    .toColourspace('b-w')
    .threshold(TOLERANCE)
    .png()
    .toBuffer()
  const { channels } = await sharp(picture).stats()
  const share = (channels[0]?.mean ?? 0) / 255
  return share > 0 ? { share, picture } : undefined
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const sectionOf = (name: string, what: string, pictures: readonly (string | undefined)[]) => `<section>
<h2>${escaped(name)} <small>${what}</small></h2>
<div>${pictures.map((file) => `<p>${file ? `<img loading="lazy" alt="" src="${escaped(encodeURI(file))}">` : ''}</p>`).join('')}</div>
</section>`

const pageOf = (words: string, sections: readonly string[]) => `<!DOCTYPE html>
<html lang="en-GB">
<meta charset="utf-8">
<title>Differences</title>
<style>
body { margin: 2rem; font: 16px/1.5 system-ui, sans-serif; background: #eee; }
div { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; align-items: start; }
img { max-width: 100%; background: #fff; box-shadow: 0 0 0 1px #ccc; }
</style>
<h1>${words}</h1>
<p>Before, now, and the difference.</p>
${sections.join('\n')}
</html>
`

const [older = '', newer = ''] = process.argv.slice(2)
const [before, after] = await Promise.all([picturesIn(older), picturesIn(newer)])
await rm(join(newer, SHOWN), { recursive: true, force: true })
await mkdir(join(newer, SHOWN), { recursive: true })
const different: { share: number; section: string }[] = []
for (const [name, now] of after) {
  const was = before.get(name)
  const difference = was && (await differenceOf(was, now))
  if (!was || !difference) continue
  const shown = join(newer, SHOWN, `${different.length + 1}.png`)
  await writeFile(shown, difference.picture)
  const { share } = difference
  different.push({ share, section: sectionOf(name, `${(share * 100).toFixed(2)} %`, [was, now, shown]) })
}
different.sort((a, b) => b.share - a.share)
const added = [...after].filter(([name]) => !before.has(name)).map(([name, now]) => sectionOf(name, 'new', ['', now]))
const gone = [...before].filter(([name]) => !after.has(name)).map(([name, was]) => sectionOf(name, 'gone', [was]))
const words = `${different.length} different, ${added.length} new, ${gone.length} gone.`
await writeFile(join(newer, PAGE), pageOf(words, [...different.map(({ section }) => section), ...added, ...gone]))
console.log(`${words} ${join(newer, PAGE)} shows them.`)
