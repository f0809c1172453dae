// What the finished pages of a folder want of the network, in order of need: node scripts/finish-pages.mjs build/client
// The style sheet stands in the page itself, so that words are drawn as soon as they are there. Scripts take a page
// over that can be read already: they come after its pictures and fonts.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the pages: node scripts/finish-pages.mjs build/client')

const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
for (const page of pages) {
  const file = path.join(page.parentPath ?? page.path, page.name)
  const html = await readFile(file, 'utf8')
  const link = html.match(/<link rel="stylesheet" href="([^"]+)"\/>/)
  if (!link?.[1]) throw new Error(`${file} has no style sheet.`)
  const css = await readFile(path.join(folder, link[1]), 'utf8')
  const finished = html
    .replace(link[0], () => `<style>${css}</style>`)
    .replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchpriority="low" ')
  await writeFile(file, finished)
}
console.log(`Finished ${pages.length} pages.`)
