import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const BUILT = join(import.meta.dirname, '../../build/client')

/** The scripts that a page loads at first: brotli-compressed bytes, and files. */
export type Weight = { bytes: number; files: number }

type Manifest = {
  entry: { module: string; imports: string[] }
  routes: Record<string, { path?: string; index?: true; parentId?: string; module: string; imports?: string[] }>
}

/**
 * Measures the scripts of built pages.
 *
 * @param paths of routes, without parameters: `/booking`
 * @param folder `build/client`, of this checkout or another
 */
export function weighPages(paths: readonly string[], folder = BUILT): Map<string, Weight> {
  const [file] = readdirSync(join(folder, 'assets')).filter((name) => /^manifest-.*\.js$/.test(name))
  if (!file) throw new Error(`${folder} has no manifest of its routes`)
  const text = readFileSync(join(folder, 'assets', file), 'utf8')
  const manifest: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  return new Map(paths.map((path) => [path, weigh(path, folder, manifest, `/assets/${file}`)]))
}

function weigh(path: string, folder: string, { entry, routes }: Manifest, manifestFile: string): Weight {
  const files = new Set([manifestFile, entry.module, ...entry.imports])
  let route = Object.values(routes).find((one) => (path === '/' ? one.index : one.path === path.slice(1)))
  if (!route) throw new Error(`no route leads to ${path}`)
  for (; route; route = route.parentId === undefined ? undefined : routes[route.parentId]) {
    for (const file of [route.module, ...(route.imports ?? [])]) files.add(file)
  }
  return { files: files.size, bytes: [...files].reduce((sum, file) => sum + sizeOf(join(folder, file)), 0) }
}

/** Size of the .br file if the build made one. */
function sizeOf(file: string): number {
  return (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size
}
