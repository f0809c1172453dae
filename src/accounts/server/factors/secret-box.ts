import { eq } from 'drizzle-orm'
import type { Tx } from '#platform/database/database.ts'
import { authenticatorApps } from '../../tables.ts'

/** Seals what must be read again but not by whoever has a copy of the database. The assembly hands one in. */
export type SecretBox = {
  seal(owner: string, value: unknown): Buffer
  /** Undefined: it was changed, belongs to somebody else, or its key is lost. */
  open(owner: string, sealed: Buffer): unknown
  /** Whether it is sealed under the newest key. */
  isCurrent(sealed: Buffer): boolean
}

/** Seals the secrets of authenticator apps that are under an older key anew; admins have them, so they are few. */
export async function rotateAppSecrets(tx: Tx, secrets: SecretBox): Promise<number> {
  const apps = await tx.select().from(authenticatorApps).orderBy(authenticatorApps.userId).for('update')
  let total = 0
  for (const { userId, sealedSecret } of apps) {
    if (secrets.isCurrent(sealedSecret)) continue
    const secret = secrets.open(userId, sealedSecret)
    if (secret === undefined) continue
    await tx
      .update(authenticatorApps)
      .set({ sealedSecret: secrets.seal(userId, secret) })
      .where(eq(authenticatorApps.userId, userId))
    total++
  }
  return total
}
