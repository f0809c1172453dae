import type { Clock } from '#foundation/instants.ts'
import type { Database } from '#platform/database/database.ts'
import type { DiskSpace } from '#platform/disk.ts'
import { type Http, serve } from '#platform/http/serve.ts'
import * as contract from '../contract.ts'
import { attentionNow, confirm, markDone, sendAgain } from './attention.ts'

/** @param deps.disk reads the free space on the disk of the data folder */
export function attentionRoutes(
  http: Http,
  deps: { database: Database; clock: Clock; disk: () => Promise<DiskSpace | undefined>; mode: 'demo' | 'live' },
): void {
  const { database, clock, disk, mode } = deps
  const world = async () => ({ now: clock.now(), disk: await disk(), mode })
  const changes = [
    [contract.markDone, markDone],
    [contract.confirm, confirm],
    [contract.sendAgain, sendAgain],
  ] as const

  serve(http, contract.listAttention, async () => {
    const current = await world()
    return await database.transaction((tx) => attentionNow(tx, current))
  })
  for (const [entry, change] of changes) {
    serve(http, entry, async ({ user, body }) => {
      const current = await world()
      return await database.transaction(async (tx) => {
        await change(tx, user, body, current)
        return await attentionNow(tx, current)
      })
    })
  }
}
