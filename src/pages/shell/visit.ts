import { createContext } from 'react-router'
import type { PublicFacts } from '#facts/contract.ts'

/** One rendering of a page by the server: who it is for, and what the page is given along. */
export type Visit = {
  /** Where the site lives, without a slash at the end: `https://studio.example`. */
  origin: string
  /** What the studio says of itself on this day. */
  facts: PublicFacts
  /** When, in milliseconds since 1970. */
  now: number
  /**
   * Asks this site's own API, as whoever visits. Rejects when there is no answer.
   *
   * @param path path and query: `/api/classes?from=2026-11-16&to=2026-11-22`
   */
  ask: (path: string) => Promise<Response>
  /** Hears of what went wrong inside the page. */
  onError: (error: unknown) => void
  /** Allows the page's own inline scripts. Absent where the page is kept for everybody: their hashes are known then. */
  nonce?: string
  /** Whether scripts begin when the page has been painted, or as soon as may be. */
  scripts: 'later' | 'soon'
}

/** What loaders and the server's entry know of the rendering they are part of. */
export const visitContext = createContext<Visit>()

/** Draws the page at a path (with its query): see `entry.server.tsx`. */
export type Render = (path: string, visit: Visit, signal?: AbortSignal) => Promise<Response>
