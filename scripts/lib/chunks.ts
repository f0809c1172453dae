import { basename } from 'node:path'

/** What the bundler knows of a module. */
type ModuleInfo = { isEntry: boolean; importers: readonly string[]; dynamicImporters: readonly string[] }
type Graph = { getModuleInfo: (id: string) => ModuleInfo | null }

/** What every page loads: the entry of all, and the root of all routes. */
const EVERYWHERE = /[\\/]src[\\/](root|entry\.client)\.tsx/
const PUBLIC = /[\\/]src[\\/](pages[\\/]public|content)[\\/].*__react-router-build-client-route$/
/** Articles and legal pages, and what lists them. */
const READING = /[\\/]src[\\/](pages[\\/]public[\\/](blog|article|legal-page)\.|content[\\/])/
const LEGAL = /[\\/]src[\\/](pages[\\/]public[\\/]legal-page\.|content[\\/]legal[\\/])/
const MEMBER = /[\\/]src[\\/]pages[\\/]member[\\/].*__react-router-build-client-route$/
const BOOKING = /[\\/]src[\\/]pages[\\/]member[\\/]booking\.tsx/

type Entries = readonly string[]

/**
 * Which modules share a file, from the entries, routes and dynamic imports they come with. Few files compress better than
 * many and come in one round; but a page should not load what only others need. Each group takes along what its
 * modules import, unless one before it has taken that.
 */
export const groups = [
  group((entries, id) => (isEverywhere(entries) && /[\\/]node_modules[\\/]/.test(id) ? 'framework' : null)),
  group((entries) => (isEverywhere(entries) || (isShared(entries) && count(entries, MEMBER) > 0) ? 'shell' : null)),
  group((entries) => (isShared(entries) ? 'public' : null)),
  group((entries) => (count(entries, READING) > 1 ? (count(entries, LEGAL) > 0 ? 'text' : 'articles') : null)),
  // What public pages share with a member's does not bring along what only public pages need, or only other members' pages.
  group((entries) => (count(entries, BOOKING) > 0 ? withFewPages(entries, PUBLIC, '-and-booking') : null)),
  group((entries) => (count(entries, MEMBER) > 0 ? withFewPages(entries, PUBLIC, '-and-members') : null)),
  group((entries) => withFewPages(entries, PUBLIC)),
  group((entries) => (count(entries, BOOKING) > 0 && count(entries, MEMBER) > 1 ? 'booking' : null)),
  group((entries) => (count(entries, MEMBER) > 1 ? 'member' : null)),
  group((entries) => withFewPages(entries, MEMBER)),
].map((name, i, all) => ({ name, priority: all.length - i }))

function group(nameOf: (entries: Entries, id: string) => string | null) {
  return (id: string, graph: Graph) => nameOf(entriesOf(id, graph), id)
}

const count = (entries: Entries, pages: RegExp) => entries.filter((entry) => pages.test(entry)).length
const isEverywhere = (entries: Entries) => count(entries, EVERYWHERE) > 0

/** By more than two public pages, and not only by those that are read. */
function isShared(entries: Entries): boolean {
  const publicPages = count(entries, PUBLIC)
  return publicPages > 2 && publicPages > count(entries, READING)
}

/** What two pages share is a file; so is what one shares with dialogs, or with pages of another kind. */
function withFewPages(entries: Entries, pages: RegExp, others = ''): string | null {
  const few = entries.filter((entry) => pages.test(entry))
  if (few.length === 0 || few.length > 2 || entries.length === 1) return null
  return `with-${few.map((page) => basename(page).split('.')[0]).join('-')}${others}`
}

/** Those entries, routes and dynamically imported modules that a module comes with. */
function entriesOf(id: string, graph: Graph): string[] {
  const entries: string[] = []
  const seen = new Set<string>()
  const queue = [id]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const info = graph.getModuleInfo(next)
    if (!info) continue
    if (info.isEntry || info.dynamicImporters.length > 0) entries.push(next)
    queue.push(...info.importers)
  }
  return entries
}
