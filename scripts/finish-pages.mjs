// What the finished pages of a folder want of the network, in order of need: node scripts/finish-pages.mjs build/client
// The style sheet stands in the page itself, so that words are drawn as soon as they are there. Scripts take a page
// over that can be read already: they come after its words, fonts and first pictures have been painted, or at once
// when somebody uses the page. A click that comes before them waits for them (src/pages/shell/early-click.ts).
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Forms and pages that script draws: nobody reads these first. */
const AT_ONCE = ['__spa-fallback.html', path.join('auth', 'index.html')]

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder of the pages: node scripts/finish-pages.mjs build/client')

const entries = await readdir(folder, { recursive: true, withFileTypes: true })
const pages = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
for (const page of pages) {
  const file = path.join(page.parentPath ?? page.path, page.name)
  const html = await readFile(file, 'utf8')
  const styled = await withStyles(html)
  await writeFile(file, AT_ONCE.includes(path.relative(folder, file)) ? quietly(styled) : later(styled))
}
console.log(`Finished ${pages.length} pages.`)

/** The style sheet in place of the link to it, with its address for pages that the server draws. @param {string} html */
async function withStyles(html) {
  const link = html.match(/<link rel="stylesheet" href="([^"]+)"\/>/)
  if (!link?.[1]) throw new Error('A page has no style sheet.')
  const css = await readFile(path.join(String(folder), link[1]), 'utf8')
  return html.replace(link[0], () => `<style data-href="${link[1]}">${css}</style>`)
}

/** Scripts after what is seen, but as soon as may be. @param {string} html */
function quietly(html) {
  return html.replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchpriority="low" ')
}

/** Scripts after what is seen has been painted. @param {string} html */
function later(html) {
  const PRELOAD = /<link rel="modulepreload" href="([^"]+)"\/>/g
  const files = [...html.matchAll(PRELOAD)].map(([, href]) => href)
  const [tag = '', start = ''] = html.match(/<script type="module" async="">([\s\S]*?)<\/script>/) ?? []
  const imports = /^import (?:\* as (\w+) from )?"([^"]+)";$/gm
  const needed = [...start.matchAll(imports)]
  const rest = start.replace(imports, '').trim()
  if (needed.length < 2 || /^import\s/m.test(rest)) throw new Error(`A page starts in a way that is new:\n${start}`)
  const names = needed.map(([, name], i) => name ?? `_${i}`).join(', ')
  const loaded = `const [${names}] = await Promise.all(${JSON.stringify(needed.map(([, , href]) => href))}.map((href) => import(href))).catch((error) => { early.stop(); throw error });`
  const script = `await (${whenPainted})(${JSON.stringify(files)});\n${loaded}\n${rest}`
  return html.replace(PRELOAD, '').replace(tag, () => `<script type="module" async="">${script}</script>`)
}

/**
 * Runs in the page. Ends when the page has been painted with all it came with, or somebody uses it, or after three
 * seconds; then asks for the scripts all at once. Keeps the last click on what needs them, from everybody, until the
 * page carries it out itself.
 * @param {string[]} files
 */
async function whenPainted(files) {
  const early = { click: undefined, stop: () => removeEventListener('click', keep, true) }
  const keep = (event) => {
    const pressed = event.target.closest?.('button, [data-early]')
    if (!pressed || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    early.click = pressed
  }
  addEventListener('click', keep, true)
  window.early = early
  await new Promise((go) => {
    const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go)))
    if (document.readyState === 'complete') painted()
    else addEventListener('load', painted, { once: true })
    for (const name of ['pointerdown', 'keydown', 'focusin']) addEventListener(name, go, { once: true, capture: true })
    setTimeout(go, 3000)
  })
  for (const href of files)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
}
