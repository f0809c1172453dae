import type { SecretBox } from '#accounts/server/accounts.ts'
import { type HealthVault, VaultError } from '#health/server/health.ts'

const PURPOSE = 'authenticator-app'
/** One for each person, and one state of it: the row is the owner's. */
const placeOf = (owner: string) => ({ owner, row: owner, version: 1 })

/** The vault of health answers, for what accounts seal: one key to keep, one to change. */
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
