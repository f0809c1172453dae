import type { DiskSpace } from '#platform/disk.ts'
import type { Http } from '#platform/http/serve.ts'
import { write } from '#platform/http/write.ts'
import * as contract from '../contract.ts'
import { attentionNow, confirm, markDone, sendAgain } from './attention.ts'

/** @param deps.disk reads the free space on the disk of the data folder */
export function attentionRoutes(
  http: Http,
  { disk, mode }: { disk: () => Promise<DiskSpace | undefined>; mode: 'demo' | 'live' },
): void {
  const changes = [
    [contract.markDone, markDone],
    [contract.confirm, confirm],
    [contract.sendAgain, sendAgain],
  ] as const

  write(http, contract.listAttention, async ({ tx, now }) => attentionNow(tx, { now, disk: await disk(), mode }))
  for (const [entry, change] of changes) {
    write(http, entry, async ({ tx, now, user, body }) => {
      const world = { now, disk: await disk(), mode }
      await change(tx, user, body, world)
      return await attentionNow(tx, world)
    })
  }
}
