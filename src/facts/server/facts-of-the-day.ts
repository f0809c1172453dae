import type { Clock } from '#foundation/clock.ts'
import { studioDate } from '#foundation/instants.ts'
import type { Reader } from '#platform/database/database.ts'
import type { PublicFacts } from '../contract.ts'
import { publicFacts } from '../rules.ts'
import { type KeptFacts, keptFacts, versionNow } from './kept-facts.ts'

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
