import { posix } from 'node:path'

/**
 * Who may import whom. `docs/architecture.md` draws it; this is the authority.
 * A part may import what it lists and, through those, what they list.
 */
const ARROWS: { readonly [part: string]: readonly string[] } = {
  messages: [],
  audit: [],
  accounts: ['messages', 'audit'],
  timetable: ['accounts'],
  packages: ['accounts'],
  health: ['accounts'],
  passes: ['packages'],
  booking: ['passes', 'timetable', 'health'],
  calendar: ['booking'],
  payments: ['packages', 'passes', 'booking'],
  insights: ['booking', 'payments'],
  privacy: ['booking', 'calendar', 'payments'],
}
/** Files of the server that parts stand on; the rest of `src/server` assembles parts and is imported by nobody. */
const PLATFORM = /^src\/server\/(database|http|jobs)\/|^src\/server\/settings\.ts$/
const BROWSER = /^src\/(root\.tsx|entry\.client\.tsx|routes\.ts|pages\/|ui\/|content\/|[^/]+\/web\/)/
const FOR_TESTS = /^src\/testing\/|\.test\.tsx?$|-under-test\.ts$|^(bench|e2e)\//
const STAND_IN = 'only what assembles the demo, and tests, know the card provider’s stand-in'
/** What a part shows to others of itself, besides `server/<part>.ts`. */
const FACE = /^src\/[^/]+\/(contract|rules|tables|mail|consents)\.ts$/

export type Sources = ReadonlyMap<string, string>
type Import = { target: string; typeOnly: boolean }

/**
 * Finds what breaks the house's rules.
 *
 * @param sources path from the project's root → text, of every file under `src`
 * @returns a sentence per violation; none is the good answer
 */
export function violations(sources: Sources): string[] {
  const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]))
  const found: string[] = []
  for (const [file, targets] of imports) {
    if (FOR_TESTS.test(file)) continue
    for (const { target, typeOnly } of targets) {
      const why = whyNot(file, target, typeOnly)
      if (why) found.push(`${file} imports ${target}: ${why}`)
    }
    found.push(...foreignWrites(file, sources.get(file) ?? ''))
  }
  return [...found, ...reachesServer(imports)]
}

function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(
    /^(import|export)\s+(type\s)?[^;'"]*?from\s+['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]|^import\s+['"](\.[^'"]+)['"]/gm,
  )
  return [...statements].map(([, , type, from, dynamic, bare]) => ({
    target: posix.join(posix.dirname(file), (from ?? dynamic ?? bare) as string),
    typeOnly: Boolean(type),
  }))
}

const placeOf = (file: string) => file.split('/')[1] ?? ''

function whyNot(file: string, target: string, typeOnly: boolean): string | undefined {
  const [from, to] = [placeOf(file), placeOf(target)]
  if (target.startsWith('stripe-sandbox/')) return mayAssemble(from) && !PLATFORM.test(file) ? undefined : STAND_IN
  if (!target.startsWith('src/')) return target.startsWith('.react-router/') ? undefined : 'it is outside src'
  if (FOR_TESTS.test(target)) return 'that is for tests'
  if (target === 'src/studio.ts' || target === 'src/site-map.ts' || from === to) return undefined
  if (from === 'foundation') return 'foundation knows nothing but itself'
  if (to === 'foundation') return undefined
  if (from === 'ui') return 'ui knows no domain word'
  if (from === 'content') return to === 'ui' ? undefined : 'content is words and pictures'
  if (to === 'server')
    return PLATFORM.test(target) ? undefined : mayAssemble(from) ? undefined : 'the assembly is imported by nobody'
  if (from === 'server') {
    if (!PLATFORM.test(file)) return undefined
    return typeOnly && FACE.test(target) ? undefined : 'what parts stand on may know only the types of their faces'
  }
  if (BROWSER.test(file) && (to === 'ui' || to === 'content')) return undefined
  if (from === 'pages' || !(from in ARROWS))
    return BROWSER.test(file) ? undefined : 'nobody knows where this file belongs'
  return whyNotBetweenParts(file, target)
}

const mayAssemble = (from: string) => from === 'server'

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
function foreignWrites(file: string, text: string): string[] {
  const owners = new Map<string, string>()
  for (const [, names = '', from = ''] of text.matchAll(
    /^import\s+\{([^}]*)\}\s+from\s+['"](\.[^'"]*tables\.ts)['"]/gm,
  )) {
    const owner = placeOf(posix.join(posix.dirname(file), from))
    for (const name of names.split(',')) owners.set(name.replace('type ', '').trim(), owner)
  }
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
        if (/\/server\/|\/tables\.ts$/.test(target))
          found.push(`${[...way, target].join(' → ')}: the browser would load server code`)
        else queue.push([...way, target])
      }
    }
  }
  return found
}
