import { copyFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Difference, differenceOf } from './difference.ts'

/** A picture that is new, gone or different. Files are relative to their folder. */
export type Change = { name: string; before?: string; after?: string; difference?: Difference }

const SHOWN = 'differences'
const PAGE = 'differences.html'

/**
 * Compares two folders of screenshots by the names of their scenes.
 *
 * @returns changes only: the most different first, then new ones, then those that are gone
 */
export async function changesBetween(older: string, newer: string): Promise<Change[]> {
  const [before, after] = await Promise.all([picturesIn(older), picturesIn(newer)])
  const changed: (Change & { difference: Difference })[] = []
  for (const [name, file] of after) {
    const former = before.get(name)
    if (!former) continue
    const difference = await differenceOf(await readFile(join(older, former)), await readFile(join(newer, file)))
    if (difference) changed.push({ name, before: former, after: file, difference })
  }
  changed.sort((a, b) => b.difference.share - a.difference.share)
  const added = [...after].filter(([name]) => !before.has(name)).map(([name, file]) => ({ name, after: file }))
  const gone = [...before].filter(([name]) => !after.has(name)).map(([name, file]) => ({ name, before: file }))
  return [...changed, ...added, ...gone]
}

/** Files by scene: `phone/home-visitor` for `phone/001-home-visitor.png`. */
async function picturesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const file of glob('*/*.png', { cwd: folder, exclude: [SHOWN] })) {
    const name = basename(file, '.png').replace(/^\d+-/, '')
    found.set(`${dirname(file)}/${name}`, file)
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Writes an HTML page into the folder of the newer pictures. @returns its path */
export async function writeDifferences(older: string, newer: string, changes: readonly Change[]): Promise<string> {
  const shown = join(newer, SHOWN)
  await rm(shown, { recursive: true, force: true })
  await mkdir(shown, { recursive: true })
  const rows: string[] = []
  for (const [i, { name, before, after, difference }] of changes.entries()) {
    const pictures: [words: string, file: string][] = []
    if (before) {
      const file = `${SHOWN}/${i + 1}-before.png`
      await copyFile(join(older, before), join(newer, file))
      pictures.push(['before', file])
    }
    if (after) pictures.push(['now', after])
    if (difference) {
      const file = `${SHOWN}/${i + 1}-difference.png`
      await writeFile(join(newer, file), difference.picture)
      pictures.push(['difference', file])
    }
    const newOrGone = after ? 'new' : 'gone'
    const what = difference ? `${(difference.share * 100).toFixed(2)} %` : newOrGone
    rows.push(sectionOf(name, what, pictures))
  }
  const page = join(newer, PAGE)
  await writeFile(page, pageOf(inWords(changes), rows))
  return page
}

export function inWords(changes: readonly Change[]): string {
  const count = (is: (change: Change) => unknown) => changes.filter(is).length
  const different = count(({ difference }) => difference)
  return `${different} different, ${count(({ before }) => !before)} new, ${count(({ after }) => !after)} gone.`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const sectionOf = (name: string, what: string, pictures: readonly [string, string][]) => `<section>
<h2>${escaped(name)} <small>${what}</small></h2>
<div>${pictures
  .map(([words, file]) => {
    const address = escaped(encodeURI(file))
    return `<figure><figcaption>${words}</figcaption><a href="${address}"><img loading="lazy" alt="" src="${address}"></a></figure>`
  })
  .join('')}</div>
</section>`

const pageOf = (words: string, sections: readonly string[]) => `<!DOCTYPE html>
<html lang="en-GB">
<meta charset="utf-8">
<title>Differences</title>
<style>
body { margin: 2rem; font: 16px/1.5 system-ui, sans-serif; background: #eee; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
small { font-weight: 400; color: #555; }
div { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem; align-items: start; }
figure { margin: 0; }
img { max-width: 100%; background: #fff; box-shadow: 0 0 0 1px #ccc; }
</style>
<h1>${words}</h1>
${sections.join('\n')}
</html>
`

if (import.meta.main) {
  const [older = '', newer = ''] = process.argv.slice(2)
  const changes = await changesBetween(older, newer)
  console.log(`${inWords(changes)} ${await writeDifferences(older, newer, changes)} shows them.`)
}
