// What other server code may call of this part.

import { asc, desc, inArray } from 'drizzle-orm'
import { type Clock, studioDate } from '#foundation/instants.ts'
import type { Reader } from '#platform/database/database.ts'
import { beginning } from '#studio.ts'
import type { PublicFacts, StudioFacts, Vat } from '../contract.ts'
import { publicFacts, vatOn } from '../rules.ts'
import { studioFacts } from '../tables.ts'

/** The facts, which version of them, and since when; version 0 is what the site came with. */
export type KeptFacts = { facts: StudioFacts; version: number; changedAt: Temporal.Instant | null }

/** What the owner says of the studio now. */
export async function keptFacts(reader: Reader): Promise<KeptFacts> {
  const [newest] = await reader.select().from(studioFacts).orderBy(desc(studioFacts.version)).limit(1)
  return newest ? toKept(newest) : BEGINNING
}

const BEGINNING: KeptFacts = { facts: beginning, version: 0, changedAt: null }

/** What a later release added is as it came until somebody edits it. */
function toKept({ facts, version, changedAt }: typeof studioFacts.$inferSelect): KeptFacts {
  return { facts: { ...beginning, ...facts }, version, changedAt }
}

/** What a version was an edit of; undefined where there is no such version. */
export async function keptBefore(reader: Reader, version: number): Promise<KeptFacts | undefined> {
  const [before, edited] = await reader
    .select()
    .from(studioFacts)
    .where(inArray(studioFacts.version, [version - 1, version]))
    .orderBy(desc(studioFacts.version))
    .then((rows) => (rows[0]?.version === version ? [rows[1], rows[0]] : []))
  if (!edited) return undefined
  return before ? toKept(before) : BEGINNING
}

/** The facts alone. */
export async function factsNow(reader: Reader): Promise<StudioFacts> {
  return (await keptFacts(reader)).facts
}

/** What the owner said of the studio at an instant, for many instants: every version is read once. */
export async function factsThen(reader: Reader): Promise<(at: Temporal.Instant) => StudioFacts> {
  const versions = await reader.select().from(studioFacts).orderBy(asc(studioFacts.version))
  return (at) => {
    const then = versions.findLast(({ changedAt }) => Temporal.Instant.compare(changedAt, at) <= 0)
    return then ? toKept(then).facts : beginning
  }
}

/**
 * The VAT registration on the day of an instant, for many instants, by what the owner says of it now: a corrected rate
 * counts for older sales too.
 */
export async function vatByDay(reader: Reader): Promise<(at: Temporal.Instant) => Vat | null> {
  const { vatPeriods } = await factsNow(reader)
  return (at) => vatOn(vatPeriods, studioDate(at).toString())
}

/** The newest version's number, 0 before the first edit: a look into an index. */
async function versionNow(reader: Reader): Promise<number> {
  const [newest] = await reader
    .select({ version: studioFacts.version })
    .from(studioFacts)
    .orderBy(desc(studioFacts.version))
    .limit(1)
  return newest?.version ?? 0
}

/** What this process tells everybody of the studio: kept in memory, for pages are drawn without waiting for anybody. */
export class FactsOfTheDay {
  readonly #reader: Reader
  readonly #clock: Clock
  #kept: KeptFacts | undefined

  constructor(reader: Reader, clock: Clock) {
    this.#reader = reader
    this.#clock = clock
  }

  /** Looks for a newer version and reads it. Every process asks: a notification would not pass a transaction pooler. */
  async renew(): Promise<void> {
    if (this.#kept && (await versionNow(this.#reader)) === this.#kept.version) return
    this.#kept = await keptFacts(this.#reader)
  }

  /** @throws before the first {@link renew} */
  get current(): PublicFacts {
    if (!this.#kept) throw new Error('the facts have not been read')
    return publicFacts(this.#kept.facts, studioDate(this.#clock.now()).toString())
  }
}
