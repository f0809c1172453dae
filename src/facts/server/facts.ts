// What other server code may call of this part.

import { asc, desc, inArray } from 'drizzle-orm'
import { type Clock, studioDate } from '#foundation/instants.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { initialFacts } from '#studio.ts'
import type { PublicFacts, StudioFacts, Vat } from '../contract.ts'
import { BEFORE_OPENING, type MailFacts, publicFacts, type SetUpItemName, vatOn } from '../rules.ts'
import { setUpItems, studioFacts } from '../tables.ts'

/** The facts, their version and when it was saved. Version 0 is the facts in `studio.ts`. */
export type FactsVersion = { facts: StudioFacts; version: number; changedAt: Temporal.Instant | null }

/** The current version. */
export async function latestFacts(reader: Reader): Promise<FactsVersion> {
  const [newest] = await reader
    .select()
    .from(studioFacts)
    .orderBy(desc(studioFacts.version))
    .limit(1)
    .prepare('latest_facts')
    .execute()
  return newest ? toVersion(newest) : INITIAL
}

const INITIAL: FactsVersion = { facts: initialFacts, version: 0, changedAt: null }

/** A fact that the saved version lacks has its initial value until it is edited. */
function toVersion({ facts, version, changedAt }: typeof studioFacts.$inferSelect): FactsVersion {
  const instructor = { ...initialFacts.instructor, ...facts.instructor }
  return { facts: { ...initialFacts, ...facts, instructor }, version, changedAt }
}

/** The version before a version; undefined if the latter does not exist. */
export async function factsBefore(reader: Reader, version: number): Promise<FactsVersion | undefined> {
  const [before, edited] = await reader
    .select()
    .from(studioFacts)
    .where(inArray(studioFacts.version, [version - 1, version]))
    .orderBy(desc(studioFacts.version))
    .then((rows) => (rows[0]?.version === version ? [rows[1], rows[0]] : []))
  if (!edited) return undefined
  return before ? toVersion(before) : INITIAL
}

/** The ids of the facts' pictures since an instant, in the current version and in the one that can be restored. */
export async function picturesInUse(reader: Reader, since: Temporal.Instant): Promise<string[]> {
  const versions = await reader.select().from(studioFacts).orderBy(desc(studioFacts.version))
  const inUse = versions.filter((_, place) => {
    const next = versions[place - 1]
    return place < 2 || (next && Temporal.Instant.compare(next.changedAt, since) > 0)
  })
  return inUse.flatMap((version) => {
    const { pictures, teachers } = toVersion(version).facts
    const portraits = teachers.flatMap(({ portrait }) => portrait ?? [])
    return [...Object.values(pictures), ...portraits].map(({ id }) => id)
  })
}

/** The current version of the facts; the initial ones until the first edit. */
export async function currentFacts(reader: Reader): Promise<StudioFacts> {
  return (await latestFacts(reader)).facts
}

/** Whether the owner has confirmed name, address and contact. A demo is never held back. */
export async function isConfirmed(reader: Reader, mode: 'demo' | 'live'): Promise<boolean> {
  if (mode === 'demo') return true
  const confirmed = await reader
    .select({ item: setUpItems.item })
    .from(setUpItems)
    .where(inArray(setUpItems.item, [...BEFORE_OPENING]))
    .prepare('confirmed_before_opening')
    .execute()
  return confirmed.length === BEFORE_OPENING.length
}

/** What emails say about the studio. */
export async function mailFacts(reader: Reader, mode: 'demo' | 'live'): Promise<MailFacts> {
  const [facts, isKnown] = await Promise.all([currentFacts(reader), isConfirmed(reader, mode)])
  return isKnown ? facts : { ...facts, address: null, phone: null, email: null }
}

/** The confirmed items of the set-up list, and when. */
export async function confirmedItems(reader: Reader): Promise<Map<SetUpItemName, Temporal.Instant>> {
  const rows = await reader.select().from(setUpItems)
  return new Map(rows.map(({ item, confirmedAt }) => [item, confirmedAt]))
}

/** Confirms an item of the set-up list; one that is confirmed keeps its first confirmation. */
export async function confirmItem(
  tx: Pick<Tx, 'insert'>,
  item: SetUpItemName,
  adminId: string | null,
  now: Temporal.Instant,
): Promise<void> {
  await tx.insert(setUpItems).values({ item, adminId, confirmedAt: now }).onConflictDoNothing()
}

/** Returns a function that finds the facts at an instant. Reads every version once. */
export async function loadFactsHistory(reader: Reader): Promise<(at: Temporal.Instant) => StudioFacts> {
  const versions = await reader.select().from(studioFacts).orderBy(asc(studioFacts.version))
  return (at) => {
    const then = versions.findLast(({ changedAt }) => Temporal.Instant.compare(changedAt, at) <= 0)
    return then ? toVersion(then).facts : initialFacts
  }
}

/** Returns a function that finds the VAT registration on an instant's day. A corrected rate applies to older sales. */
export async function loadVatByDay(reader: Reader): Promise<(at: Temporal.Instant) => Vat | null> {
  const { vatPeriods } = await currentFacts(reader)
  return (at) => vatOn(vatPeriods, studioDate(at).toString())
}

async function versionNow(reader: Reader): Promise<number> {
  const [newest] = await reader
    .select({ version: studioFacts.version })
    .from(studioFacts)
    .orderBy(desc(studioFacts.version))
    .limit(1)
  return newest?.version ?? 0
}

/** The public facts, kept in memory so that pages render without a query. */
export class PublicFactsCache {
  readonly #reader: Reader
  readonly #clock: Clock
  readonly #mode: 'demo' | 'live'
  #kept: FactsVersion | undefined
  #isConfirmed = false

  constructor(reader: Reader, clock: Clock, mode: 'demo' | 'live') {
    this.#reader = reader
    this.#clock = clock
    this.#mode = mode
  }

  /** Reads a newer version if there is one. Every process polls, as LISTEN fails through a transaction pooler. */
  async renew(): Promise<void> {
    this.#isConfirmed ||= await isConfirmed(this.#reader, this.#mode)
    if (this.#kept && (await versionNow(this.#reader)) === this.#kept.version) return
    this.#kept = await latestFacts(this.#reader)
  }

  /** @throws before the first {@link renew} */
  get current(): PublicFacts {
    if (!this.#kept) throw new Error('the facts have not been read')
    return publicFacts(this.#kept.facts, studioDate(this.#clock.now()).toString(), this.#isConfirmed)
  }
}
