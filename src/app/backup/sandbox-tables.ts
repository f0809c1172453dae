import type { Connection } from '#platform/database/backup/catalog.ts'
import type { Manifest } from '#platform/database/backup/manifest.ts'

const isSandbox = (name: string) => name.startsWith('sandbox.')

/**
 * The demo's card provider is in the same database, and in the backup. Where there is one already it is left alone, as Stripe
 * would be; where there is none, it is restored, or nobody would know of the payments. Live has none.
 */
export async function sandboxTables(
  connection: Connection,
  manifest: Manifest,
  isDemo: boolean,
): Promise<{ prepare?(): Promise<void>; leaveOut(name: string): boolean }> {
  const { rows } = await connection.query<{ there: boolean }>(
    "select to_regclass('sandbox.objects') is not null as there",
  )
  const isWanted = isDemo && !rows[0]?.there && Object.keys(manifest.tables).some(isSandbox)
  if (!isWanted) return { leaveOut: isSandbox }
  const { makeSandboxTables } = await import('../demo/sandbox.ts')
  return { prepare: () => makeSandboxTables(connection), leaveOut: () => false }
}
