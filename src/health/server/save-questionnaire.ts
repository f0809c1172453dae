import type { Tx } from '#platform/database/database.ts'
import { consents } from '../consents.ts'
import type { Questionnaire, QuestionnaireForm } from '../contract.ts'
import { isReadable } from '../rules.ts'
import { healthQuestionnaires } from '../tables.ts'
import { answersOf, changesBetween, unanswered } from './answers.ts'
import { recordHealthUpdate } from './health-updates.ts'
import { lockMember, questionnaireOf } from './queries.ts'
import type { HealthVault } from './vault.ts'
import { nextVersion } from './versions.ts'

/** Replaces the member's questionnaire, records the consent it was saved with and what changed. */
export async function saveQuestionnaire(
  tx: Tx,
  vault: HealthVault,
  user: { id: string },
  form: QuestionnaireForm,
  now: Temporal.Instant,
): Promise<Questionnaire> {
  await lockMember(tx, user.id)
  // One that cannot be read is replaced like one that is not there: saving again mends it.
  const kept = await questionnaireOf(tx, vault, user.id)
  const before = kept && isReadable(kept) ? kept : null
  const answers = answersOf(form)
  const version = await nextVersion(tx)
  const row = {
    sealed: vault.seal({ owner: user.id, row: user.id, version }, 'questionnaire', answers),
    version,
    marketingConsent: answers.marketingConsent,
    consentedAt: now,
    consentTextVersion: consents.version,
    updatedAt: now,
  }
  await tx
    .insert(healthQuestionnaires)
    .values({ userId: user.id, ...row })
    .onConflictDoUpdate({ target: healthQuestionnaires.userId, set: row })
  const changes = changesBetween(before, answers, unanswered)
  await recordHealthUpdate(tx, vault, { userId: user.id, updateType: 'questionnaire_updated', changes, now })
  return { ...answers, updatedAt: now.toString() }
}
