import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

const BUILT = join(import.meta.dirname, '../build/client')

/** Bytes of script, brotli compressed, that a browser loads for the home page before anybody touches it. */
export async function measureHomePage(folder = BUILT): Promise<{ bytes: number; files: string[] }> {
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  const files = [...(await withStaticImports(folder, scriptsOf(html)))].sort()
  const inline = inlineScripts(html)
  const sizes = await Promise.all([
    ...files.map((file) => brotliBytes(folder, file)),
    ...inline.map(async (script) => (await promisify(brotliCompress)(script)).length),
  ])
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files }
}

/** What runs out of the page itself. Structured data for search engines stands in a script tag, but is none. */
function inlineScripts(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*(?:\ssrc=|ld\+json))[^>]*>([\s\S]*?)<\/script>/g)
  return [...scripts].map(([, script = '']) => script)
}

/** What the page's own tags name, scripts and modules to preload, and what its inline scripts ask for by name. */
function scriptsOf(html: string): string[] {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag)
  const loading = tags.filter((tag) => tag.startsWith('<script') || /rel="(?:modulepreload|preload)"/.test(tag))
  const addresses = loading.map((tag) => /\s(?:src|href)="([^"]+)"/.exec(tag)?.[1])
  const asked = [
    ...inlineScripts(html)
      .join('\n')
      .matchAll(/"(\/[^"]+\.js)"/g),
  ].map(([, file]) => file)
  const found = [...addresses, ...asked].filter((address) => address?.split('?')[0]?.endsWith('.js')) as string[]
  if (found.length === 0) throw new Error('the home page names no script at all')
  return found
}

async function withStaticImports(folder: string, first: string[]): Promise<Set<string>> {
  const found = new Set<string>()
  const waiting = first.map((address) => new URL(address, 'https://home.example/'))
  for (let address = waiting.pop(); address; address = waiting.pop()) {
    const path = address.pathname
    if (address.host !== 'home.example') throw new Error(`the home page loads ${address.href} from elsewhere`)
    if (found.has(path)) continue
    found.add(path)
    const text = await readFile(join(folder, path), 'utf8')
    const imports = text.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{}\s,]+from\s*)?["']([^"']+)["']/g)
    for (const [, specifier = ''] of imports) {
      if (/^[./]/.test(specifier)) waiting.push(new URL(specifier, address))
    }
  }
  return found
}

/** As it travels: the build writes a .br beside every file that gains by it. */
async function brotliBytes(folder: string, file: string): Promise<number> {
  const compressed = await readFile(join(folder, `${file}.br`)).catch(() => undefined)
  return (compressed ?? (await readFile(join(folder, file)))).length
}
