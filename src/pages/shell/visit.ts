import { createContext } from 'react-router'
import type { PublicFacts } from '#facts/contract.ts'

/** One rendering of a page on the server. */
export type Visit = {
  /** Where the site lives, without a slash at the end: `https://studio.example`. */
  origin: string
  /** The studio's facts today. */
  facts: PublicFacts
  /** In milliseconds since 1970. */
  now: number
  /**
   * Requests this site's own API as the visitor. Rejects when there is no response.
   *
   * @param path path and query: `/api/classes?from=2026-11-16&to=2026-11-22`
   */
  ask: (path: string) => Promise<Response>
  /** Called with an error inside the page. */
  onError: (error: unknown) => void
  /** Allows inline scripts. Absent on prerendered pages, whose policy lists the scripts' hashes. */
  nonce?: string
  /** Whether scripts start after the first paint (decision 7). */
  hasLateScripts?: boolean
}

/** The rendering that a loader or the server's entry is part of. */
export const visitContext = createContext<Visit>()

/** Renders the page at a path, which includes its query. */
export type Render = (path: string, visit: Visit, signal?: AbortSignal) => Promise<Response>
