import { posix } from 'node:path'
import { parseSync } from 'vite'

/**
 * Which part may import which; `docs/architecture.md` draws it. A part may also import what its imports may import.
 */
const ARROWS: { readonly [part: string]: readonly string[] } = {
  audit: [],
  security: [],
  pictures: ['audit'],
  facts: ['pictures', 'audit', 'security'],
  messages: ['facts'],
  push: ['messages'],
  accounts: ['push', 'audit', 'security'],
  timetable: ['accounts'],
  packages: ['accounts'],
  health: ['accounts'],
  passes: ['packages'],
  booking: ['passes', 'timetable', 'health'],
  schedule: ['booking'],
  calendar: ['booking'],
  mailings: ['booking'],
  imports: ['booking', 'mailings'],
  vouchers: ['passes'],
  payments: ['packages', 'passes', 'booking', 'vouchers'],
  insights: ['booking', 'payments'],
  privacy: ['booking', 'calendar', 'imports', 'mailings', 'payments'],
  attention: ['payments', 'privacy'],
  setup: ['payments'],
}
/** Folders in a part's `server`, lowest first: each may import the ones before it, and none the files beside them. */
const FLOORS: { readonly [part: string]: readonly string[] } = {
  booking: ['places', 'waiting', 'bookings', 'companions', 'regular'],
}
const BROWSER = /^src\/(root\.tsx|entry\.(client|server|pages)\.tsx?|routes\.ts|pages\/|ui\/|content\/|[^/]+\/web\/)/
const FOR_TESTS = /^src\/testing\/|\.test\.tsx?$|-under-test\.ts$|^(lab|e2e)\//
/** And the one of text messages. Includes its tests, which are independent of the product. */
const STRIPE_SANDBOX = /^(stripe|twilio)-sandbox\//
/** What a part exposes to other parts, besides `server/<part>.ts`. */
const PUBLIC_FACE = /^src\/[^/]+\/((contract|rules)(-[a-z]+)?|refusals|tables|mail|consents)\.ts$/
/** Files that anything may import. */
const SHARED = ['src/studio.ts', 'src/site-map.ts', 'src/content/hour-of-room.ts']

export type Sources = ReadonlyMap<string, string>
type Import = { specifier: string; target: string; typeOnly: boolean; names: readonly string[] }

/**
 * Finds imports and writes that break the architecture.
 *
 * @param sources path from the project's root → text, for every file under `src` and `stripe-sandbox`
 * @returns a sentence per violation
 */
export function violations(sources: Sources): string[] {
  const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]))
  const found: string[] = []
  for (const [file, targets] of imports) {
    if (FOR_TESTS.test(file) && !STRIPE_SANDBOX.test(file)) continue
    for (const { specifier, target } of targets) {
      const why = importProblem(file, target) ?? specifierProblem(file, target, specifier)
      if (why) found.push(`${file} imports ${target}: ${why}`)
    }
    found.push(...foreignWrites(file, sources.get(file) ?? '', targets))
  }
  return [...found, ...reachesServer(imports)]
}

/** A file's imports of project files, including re-exports and dynamic imports. */
function importsOf(file: string, text: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const found = [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
      names: entries.map(({ localName }) => localName.value),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({ specifier: moduleRequest?.value, typeOnly: isType, names: [] })),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: text.slice(start + 1, end - 1),
      typeOnly: false,
      names: [],
    })),
  ]
  return found.flatMap(({ specifier = '', typeOnly, names }) => {
    const target = specifier.startsWith('#')
      ? `src/${specifier.slice(1)}`
      : specifier.startsWith('.') && posix.join(posix.dirname(file), specifier)
    return target ? [{ specifier, target, typeOnly, names }] : []
  })
}

const folderOf = (file: string) => file.split('/')[1] ?? ''

function importProblem(file: string, target: string): string | undefined {
  const [from, to] = [folderOf(file), folderOf(target)]
  if (STRIPE_SANDBOX.test(file))
    return STRIPE_SANDBOX.test(target) ? undefined : 'the Stripe sandbox must not import the product'
  if (STRIPE_SANDBOX.test(target))
    return file.startsWith('src/app/demo/') ? undefined : 'only the demo and tests may import the Stripe sandbox'
  if (!target.startsWith('src/')) return target.startsWith('.react-router/') ? undefined : 'it is outside src'
  if (FOR_TESTS.test(target)) return 'only tests may import test code'
  if (from === to) return floorProblem(file, target)
  if (SHARED.includes(target)) return undefined
  if (from === 'foundation') return 'foundation may only import itself'
  if (to === 'foundation') return undefined
  if (from === 'platform') return 'platform must not import a part'
  if (to === 'app') return 'nothing may import app'
  if (from === 'app') return undefined
  if (from === 'ui') return 'ui must not import a part'
  if (from === 'content')
    return to === 'ui' || /^src\/(facts|pictures)\/(contract|rules)(-[a-z]+)?\.ts$/.test(target)
      ? undefined
      : 'content may only import ui, facts and pictures'
  if (BROWSER.test(file) && (to === 'ui' || to === 'content')) return undefined
  if (from === 'pages' || !(from in ARROWS)) return BROWSER.test(file) ? undefined : `${from} is not a known part`
  if (to === 'platform') return undefined
  return partImportProblem(file, target)
}

function floorProblem(file: string, target: string): string | undefined {
  const floors = FLOORS[folderOf(file)]
  const floorOf = (path: string) => /^src\/[^/]+\/server\/(?:([^/]+)\/)?[^/]+$/.exec(path)
  const [lower, upper] = [floorOf(target), floorOf(file)]
  if (!floors || !lower || !upper?.[1]) return undefined
  const isBelow = lower[1] !== undefined && floors.indexOf(lower[1]) <= floors.indexOf(upper[1])
  return isBelow ? undefined : `${upper[1]} is below ${lower[1] ?? 'the files of its part'}`
}

/** Imports that leave a folder must use a subpath (`#`). Files directly under `src` belong to no folder. */
function specifierProblem(file: string, target: string, specifier: string): string | undefined {
  const isOutsidePart = target.startsWith('src/') && folderOf(file) !== folderOf(target) && file.split('/').length > 2
  return isOutsidePart && !specifier.startsWith('#') ? `import it as '#${target.slice('src/'.length)}'` : undefined
}

function partImportProblem(file: string, target: string): string | undefined {
  const [from, to] = [folderOf(file), folderOf(target)]
  if (!(to in ARROWS)) return 'parts must not import pages'
  if (!reachableFrom(from).has(to)) return `there is no arrow from ${from} to ${to}`
  const isPublic =
    PUBLIC_FACE.test(target) || target === `src/${to}/server/${to}.ts` || (BROWSER.test(file) && BROWSER.test(target))
  return isPublic ? undefined : `it is not ${to}'s public face`
}

function reachableFrom(part: string, reached = new Set<string>()): Set<string> {
  for (const next of ARROWS[part] ?? []) {
    if (reached.has(next)) continue
    reached.add(next)
    reachableFrom(next, reached)
  }
  return reached
}

function foreignWrites(file: string, text: string, imports: readonly Import[]): string[] {
  const owners = new Map(
    imports
      .filter(({ target }) => target.endsWith('/tables.ts'))
      .flatMap(({ target, names }) => names.map((name) => [name, folderOf(target)])),
  )
  const writes = text.matchAll(/\.(insert|update|delete)\(\s*(\w+)\s*\)/g)
  return [...writes].flatMap(([, verb, table = '']) => {
    const owner = owners.get(table)
    return owner && owner !== folderOf(file) ? [`${file} ${verb}s ${table}: only ${owner} writes its tables`] : []
  })
}

/** Finds paths by which the browser would load `server/` or `tables.ts`. */
function reachesServer(imports: ReadonlyMap<string, Import[]>): string[] {
  const found: string[] = []
  for (const start of imports.keys()) {
    if (!BROWSER.test(start) || FOR_TESTS.test(start)) continue
    const seen = new Set([start])
    const queue = [[start]]
    for (let way = queue.shift(); way; way = queue.shift()) {
      for (const { target, typeOnly } of imports.get(way.at(-1) as string) ?? []) {
        if (typeOnly || seen.has(target)) continue
        seen.add(target)
        if (/\/server\/|\/tables\.ts$|^src\/(platform|app)\//.test(target))
          found.push(`${[...way, target].join(' → ')}: the browser would load server code`)
        else queue.push([...way, target])
      }
    }
  }
  return found
}
