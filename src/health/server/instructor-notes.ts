import { inArray } from 'drizzle-orm'
import { keysOf } from '#foundation/collections.ts'
import type { Tx } from '#platform/database/database.ts'
import type { InstructorNote } from '../contract.ts'
import { healthQuestionnaires } from '../tables.ts'
import { recordHealthReads } from './access-log.ts'
import { type Answers, ofMember, sealedAnswers } from './answers.ts'
import type { HealthVault } from './vault.ts'

/**
 * What the instructor must know about each of these members; the reads are recorded.
 *
 * @returns notes by member, most important first; without members who have no questionnaire
 */
export async function instructorNotesOf(
  tx: Tx,
  vault: HealthVault,
  admin: { id: string },
  members: readonly string[],
  now: Temporal.Instant,
): Promise<Map<string, InstructorNote[]>> {
  if (members.length === 0) return new Map()
  const rows = await tx
    .select({
      userId: healthQuestionnaires.userId,
      sealed: healthQuestionnaires.sealed,
      version: healthQuestionnaires.version,
    })
    .from(healthQuestionnaires)
    .where(inArray(healthQuestionnaires.userId, [...new Set(members)]))
  await recordHealthReads(tx, admin, { members: rows.map(({ userId }) => userId), what: 'session_notes' }, now)
  return new Map(
    rows.map((row) => {
      const answers = vault.openIfReadable(ofMember(row), sealedAnswers, row.sealed)
      return [row.userId, answers ? notesIn(answers) : ['unreadable']]
    }),
  )
}

/** Of injuries, only whether there are any. */
function notesIn(answers: Partial<Answers>): InstructorNote[] {
  const applies: Record<Exclude<InstructorNote, 'unreadable'>, boolean | undefined> = {
    heart_condition: answers.hasHeartCondition,
    high_blood_pressure: answers.hasHighBloodPressure,
    breathing_problems: answers.hasBreathingProblems,
    back_problems: answers.hasBackProblems,
    joint_problems: answers.hasJointProblems,
    injuries: /\S/.test(answers.previousInjuries ?? ''),
    pregnant: answers.pregnancyStatus === 'pregnant',
    postnatal: answers.pregnancyStatus === 'postnatal',
  }
  return keysOf(applies).filter((note) => applies[note])
}
