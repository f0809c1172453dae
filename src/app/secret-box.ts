import type { SecretBox } from '#accounts/server/accounts.ts'
import { type HealthVault, type Purpose, VaultError } from '#health/server/health.ts'

const placeOf = (owner: string) => ({ owner, row: owner, version: 1 })

/** Encrypts secrets, by default those of authenticator apps, with the health vault, so there is one key to keep and to rotate. */
export function secretBox(vault: HealthVault, purpose: Purpose = 'authenticator-app'): SecretBox {
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
