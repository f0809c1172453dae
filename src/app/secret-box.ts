import type { SecretBox } from '#accounts/server/accounts.ts'
import { type HealthVault, VaultError } from '#health/server/health.ts'

const PURPOSE = 'authenticator-app'
const placeOf = (owner: string) => ({ owner, row: owner, version: 1 })

/** Encrypts secrets of accounts with the health vault, so there is one key to keep and to rotate. */
export function secretBox(vault: HealthVault): SecretBox {
  return {
    seal: (owner, value) => vault.seal(placeOf(owner), PURPOSE, value),
    open(owner, sealed) {
      try {
        return vault.open(placeOf(owner), PURPOSE, sealed)
      } catch (error) {
        if (error instanceof VaultError) return undefined
        throw error
      }
    },
    isCurrent: (sealed) => vault.isUnderNewest(sealed),
  }
}
