import { desc } from 'drizzle-orm'
import type { Reader } from '../../platform/database/database.ts'
import { beginning } from '../../studio.ts'
import type { StudioFacts } from '../contract.ts'
import { studioFacts } from '../tables.ts'

/** The facts, which version of them, and since when; version 0 is what the site came with. */
export type KeptFacts = { facts: StudioFacts; version: number; changedAt: Temporal.Instant | null }

/** What the owner says of the studio now. What a later release added is as it came until somebody edits it. */
export async function keptFacts(reader: Reader): Promise<KeptFacts> {
  const [newest] = await reader.select().from(studioFacts).orderBy(desc(studioFacts.version)).limit(1)
  if (!newest) return { facts: beginning, version: 0, changedAt: null }
  return { facts: { ...beginning, ...newest.facts }, version: newest.version, changedAt: newest.changedAt }
}

/** The facts alone. */
export async function factsNow(reader: Reader): Promise<StudioFacts> {
  return (await keptFacts(reader)).facts
}

/** The newest version's number, 0 before the first edit: a look into an index. */
export async function versionNow(reader: Reader): Promise<number> {
  const [newest] = await reader
    .select({ version: studioFacts.version })
    .from(studioFacts)
    .orderBy(desc(studioFacts.version))
    .limit(1)
  return newest?.version ?? 0
}
