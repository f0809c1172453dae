import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import type { DiskSpace } from '#platform/disk.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { attentionNow, confirm, markDone, sendAgain } from './attention.ts'

/** @param options.disk the room on the disk of the data folder */
export function attentionRoutes(
  http: Http,
  { database, clock, disk }: { database: Database; clock: Clock; disk: () => Promise<DiskSpace | undefined> },
): void {
  const world = async () => ({ now: clock.now(), disk: await disk() })

  serve(http, contract.listAttention, async () => attentionNow(database.db, await world()))

  serve(http, contract.markDone, async ({ user, body }) => {
    const now = await world()
    return await database.transaction(async (tx) => {
      await markDone(tx, user, body, now)
      return await attentionNow(tx, now)
    })
  })

  serve(http, contract.confirm, async ({ user, body }) => {
    const now = await world()
    return await database.transaction(async (tx) => {
      await confirm(tx, user, body, now)
      return await attentionNow(tx, now)
    })
  })

  serve(http, contract.sendAgain, async ({ user, body }) => {
    const now = await world()
    return await database.transaction(async (tx) => {
      await sendAgain(tx, user, body, now)
      return await attentionNow(tx, now)
    })
  })
}
