import type { Tx } from '../../platform/database/database.ts'
import type { EmergencyContact, EmergencyContactForm } from '../contract.ts'
import { isReadable } from '../rules.ts'
import { emergencyContacts } from '../tables.ts'
import { changesBetween, contactOf } from './answers.ts'
import { recordHealthUpdate } from './health-updates.ts'
import { emergencyContactOf, lockMember } from './queries.ts'
import type { HealthVault } from './vault.ts'

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
  const row = { sealed: vault.seal(user.id, 'emergency-contact', contact), updatedAt: now }
  await tx
    .insert(emergencyContacts)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: emergencyContacts.userId, set: row })
  const changes = changesBetween(before, contact, {})
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'emergency_contact_updated', changes, now })
  return { ...contact, updatedAt: now.toString() }
}
