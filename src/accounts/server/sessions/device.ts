import { BROWSER_MAP, OS_MAP, parse } from 'bowser'

/** What a browser says of itself, in two short words; null: it says nothing we know. */
export type Device = { browser: string | null; system: string | null }

/** Longer ones are no browser's. */
const LONGEST_AGENT = 512
const BROWSERS = new Set<string>(Object.values(BROWSER_MAP))
const SYSTEMS = new Set<string>(Object.values(OS_MAP))

/**
 * The browser and the system that a `User-Agent` names. Nothing else of it is kept: the rest would tell people apart, and
 * anybody may write there what they like, which must not come to stand on a screen or in a mail.
 */
export function deviceOf(userAgent: string | undefined): Device {
  if (!userAgent) return { browser: null, system: null }
  const { browser, os } = parse(userAgent.slice(0, LONGEST_AGENT))
  return { browser: knownIn(BROWSERS, browser.name), system: knownIn(SYSTEMS, os.name) }
}

const knownIn = (names: ReadonlySet<string>, name: string | undefined) => (name && names.has(name) ? name : null)
