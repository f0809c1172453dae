import type { Tx } from '#platform/database/database.ts'
import type { EmergencyContact, EmergencyContactForm } from '../contract.ts'
import { isReadable } from '../rules.ts'
import { emergencyContacts } from '../tables.ts'
import { changesBetween, contactOf } from './answers.ts'
import { recordHealthUpdate } from './health-updates.ts'
import { emergencyContactOf, lockMember } from './queries.ts'
import type { HealthVault } from './vault.ts'
import { nextVersion } from './versions.ts'

/** Replaces the member's emergency contact and records what changed. */
export async function saveEmergencyContact(
  tx: Tx,
  vault: HealthVault,
  user: { id: string },
  form: EmergencyContactForm,
  now: Temporal.Instant,
): Promise<EmergencyContact> {
  await lockMember(tx, user.id)
  // One that cannot be read is replaced like one that is not there: saving again mends it.
  const kept = await emergencyContactOf(tx, vault, user.id)
  const before = kept && isReadable(kept) ? kept : null
  const contact = contactOf(form)
  const version = await nextVersion(tx)
  const place = { owner: user.id, row: user.id, version }
  const row = { sealed: vault.seal(place, 'emergency-contact', contact), version, updatedAt: now }
  await tx
    .insert(emergencyContacts)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: emergencyContacts.userId, set: row })
  const changes = changesBetween(before, contact, {})
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'emergency_contact_updated', changes, now })
  return { ...contact, updatedAt: now.toString() }
}
