import { type Purpose, type Vault, VaultError } from './vault.ts'

/** A vault for one purpose whose owners each have one secret. */
export type SecretBox = {
  seal(owner: string, value: unknown): Buffer
  /** Undefined if it was changed, belongs to another owner, or its key is missing. */
  open(owner: string, sealed: Buffer): unknown
  /** Whether it uses the newest key. */
  isCurrent(sealed: Buffer): boolean
}

export function secretBox(vault: Vault, purpose: Purpose): SecretBox {
  const placeOf = (owner: string) => ({ owner, row: owner, version: 1 })
  return {
    seal: (owner, value) => vault.seal(placeOf(owner), purpose, value),
    open(owner, sealed) {
      try {
        return vault.open(placeOf(owner), purpose, sealed)
      } catch (error) {
        if (error instanceof VaultError) return undefined
        throw error
      }
    },
    isCurrent: (sealed) => vault.isUnderNewest(sealed),
  }
}
