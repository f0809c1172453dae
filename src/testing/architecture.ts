import { posix } from 'node:path'
import { parseSync } from 'vite'

/**
 * Who may import whom. `docs/architecture.md` draws it; this is the authority.
 * A part may import what it lists and, through those, what they list.
 */
const ARROWS: { readonly [part: string]: readonly string[] } = {
  audit: [],
  security: [],
  facts: ['audit', 'security'],
  messages: ['facts'],
  accounts: ['messages', 'audit', 'security'],
  timetable: ['accounts'],
  packages: ['accounts'],
  health: ['accounts'],
  passes: ['packages'],
  booking: ['passes', 'timetable', 'health'],
  calendar: ['booking'],
  mailings: ['booking'],
  imports: ['passes'],
  payments: ['packages', 'passes', 'booking'],
  insights: ['booking', 'payments'],
  privacy: ['booking', 'calendar', 'mailings', 'payments'],
  attention: ['payments', 'privacy'],
}
const BROWSER = /^src\/(root\.tsx|entry\.(client|server)\.tsx|routes\.ts|pages\/|ui\/|content\/|[^/]+\/web\/)/
const FOR_TESTS = /^src\/testing\/|\.test\.tsx?$|-under-test\.ts$|^(lab|e2e)\//
/** The card provider's, for demo and tests: its own tests too stand on their own feet. */
const STAND_IN = /^stripe-sandbox\//
/** What a part shows to others of itself, besides `server/<part>.ts`. */
const FACE = /^src\/[^/]+\/(contract(-[a-z]+)?|refusals|rules|tables|mail|consents)\.ts$/
/** What everybody may know: the studio, its pages, and in which light its room stands. */
const OF_THE_STUDIO = ['src/studio.ts', 'src/site-map.ts', 'src/content/hour-of-room.ts']

export type Sources = ReadonlyMap<string, string>
type Import = { specifier: string; target: string; typeOnly: boolean; names: readonly string[] }

/**
 * Finds what breaks the house's rules.
 *
 * @param sources path from the project's root → text, of every file under `src` and `stripe-sandbox`
 * @returns a sentence per violation; none is the good answer
 */
export function violations(sources: Sources): string[] {
  const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]))
  const found: string[] = []
  for (const [file, targets] of imports) {
    if (FOR_TESTS.test(file) && !STAND_IN.test(file)) continue
    for (const { specifier, target } of targets) {
      const why = whyNot(file, target) ?? wrongForm(file, target, specifier)
      if (why) found.push(`${file} imports ${target}: ${why}`)
    }
    found.push(...foreignWrites(file, sources.get(file) ?? '', targets))
  }
  return [...found, ...reachesServer(imports)]
}

/** The imports of project files, re-exports and dynamic ones included, as a parser reads them. */
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

const placeOf = (file: string) => file.split('/')[1] ?? ''

function whyNot(file: string, target: string): string | undefined {
  const [from, to] = [placeOf(file), placeOf(target)]
  if (STAND_IN.test(file)) return STAND_IN.test(target) ? undefined : 'the stand-in knows nothing of the product'
  if (STAND_IN.test(target))
    return file.startsWith('src/app/demo/') ? undefined : 'only the demo, and tests, know the stand-in'
  if (!target.startsWith('src/')) return target.startsWith('.react-router/') ? undefined : 'it is outside src'
  if (FOR_TESTS.test(target)) return 'that is for tests'
  if (OF_THE_STUDIO.includes(target) || from === to) return undefined
  if (from === 'foundation') return 'foundation knows nothing but itself'
  if (to === 'foundation') return undefined
  if (from === 'platform') return 'what every part stands on knows no part'
  if (to === 'app') return 'the assembly is imported by nobody'
  if (from === 'app') return undefined
  if (from === 'ui') return 'ui knows no domain word'
  if (from === 'content')
    return to === 'ui' || /^src\/facts\/(contract|rules|hours)\.ts$/.test(target)
      ? undefined
      : 'content is words and pictures'
  if (BROWSER.test(file) && (to === 'ui' || to === 'content')) return undefined
  if (from === 'pages' || !(from in ARROWS))
    return BROWSER.test(file) ? undefined : 'nobody knows where this file belongs'
  if (to === 'platform') return undefined
  return whyNotBetweenParts(file, target)
}

/** Files right under `src` are outside every part. */
function wrongForm(file: string, target: string, specifier: string): string | undefined {
  const leavesPart = target.startsWith('src/') && placeOf(file) !== placeOf(target) && file.split('/').length > 2
  return leavesPart && !specifier.startsWith('#') ? `across parts it is '#${target.slice('src/'.length)}'` : undefined
}

function whyNotBetweenParts(file: string, target: string): string | undefined {
  const [from, to] = [placeOf(file), placeOf(target)]
  if (!(to in ARROWS)) return 'a part does not know pages'
  if (!reach(from).has(to)) return `there is no arrow from ${from} to ${to}`
  const isFace =
    FACE.test(target) || target === `src/${to}/server/${to}.ts` || (BROWSER.test(file) && BROWSER.test(target))
  return isFace ? undefined : `that is not ${to}'s public face`
}

function reach(part: string): Set<string> {
  const reached = new Set<string>()
  const walk = (name: string) => {
    for (const next of ARROWS[name] ?? []) {
      if (!reached.has(next)) {
        reached.add(next)
        walk(next)
      }
    }
  }
  walk(part)
  return reached
}

/** Reads may join along an arrow; only the owning part writes its tables. */
function foreignWrites(file: string, text: string, imports: readonly Import[]): string[] {
  const owners = new Map(
    imports
      .filter(({ target }) => target.endsWith('/tables.ts'))
      .flatMap(({ target, names }) => names.map((name) => [name, placeOf(target)])),
  )
  const writes = text.matchAll(/\.(insert|update|delete)\(\s*(\w+)\s*\)/g)
  return [...writes].flatMap(([, verb, table = '']) => {
    const owner = owners.get(table)
    return owner && owner !== placeOf(file) ? [`${file} ${verb}s ${table}: only ${owner} writes its tables`] : []
  })
}

/** Nothing the browser loads reaches `server/` or `tables.ts`, however far the way. */
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
