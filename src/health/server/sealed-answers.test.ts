import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { createVault } from '#platform/vault/vault.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import * as contract from '../contract.ts'
import { UNREADABLE } from '../rules.ts'
import { emergencyContacts, healthQuestionnaires, healthUpdates } from '../tables.ts'
import { ofMember, ofUpdate } from './answers.ts'
import { questionnaireOf, rotateHealthKeys } from './health.ts'

const carl = { contactName: 'Carl', relationship: 'Brother', phoneNumber: '01632 960001' }

const saveAnswers = (person: Person, body: unknown) => person.call(contract.saveQuestionnaire, { body })
const names = (person: Person, body: unknown) => person.call(contract.saveEmergencyContact, { body })
const updatesOf = async (admin: Person, query: Record<string, string> = {}) =>
  (await admin.call(contract.listHealthUpdates, { query })).body as contract.HealthUpdate[]

describe('the answers', () => {
  const CANARY = 'canary-4711'
  const sealedColumns = `
    select encode(sealed, 'escape') as sealed from health_questionnaires
    union all select encode(sealed, 'escape') from emergency_contacts
    union all select encode(sealed_changes, 'escape') from health_updates`

  async function canarySaved() {
    const cast = await openStudio()
    await saveAnswers(cast.ana, { allergies: CANARY, specificConcerns: CANARY })
    await names(cast.ana, { ...carl, contactName: CANARY })
    return cast
  }
  const everythingSaidOf = async (studio: StudioUnderTest, person: Person) =>
    studio.logged.join() + JSON.stringify(await studio.mailTo(person))

  test('are not readable in the database, logs or mails', async () => {
    const { ana, dora, studio } = await canarySaved()
    await updatesOf(dora)
    await saveAnswers(ana, { allergies: [CANARY], fitnessLevel: CANARY, hasDiabetes: CANARY })
    await names(ana, { ...carl, phoneNumber: CANARY, email: CANARY })
    const { rows } = await studio.server.database.pool.query<{ sealed: string }>(sealedColumns)
    expect(rows.length).toBeGreaterThan(4)
    expect(JSON.stringify(rows)).not.toContain(CANARY)
    expect(await everythingSaidOf(studio, ana)).not.toContain(CANARY)
  })

  test('cannot be decrypted after being moved to another member, and are not disclosed', async () => {
    const { ana, boris, studio } = await canarySaved()
    await saveAnswers(boris, {})
    const [row] = await studio.db.select().from(healthQuestionnaires).where(eq(healthQuestionnaires.userId, ana.id))
    await studio.db
      .update(healthQuestionnaires)
      .set({ sealed: row?.sealed })
      .where(eq(healthQuestionnaires.userId, boris.id))
    const answer = await boris.call(contract.getQuestionnaire)
    expect(answer).toMatchObject({ status: 200, body: { unreadable: UNREADABLE } })
    expect(JSON.stringify(answer.body) + (await everythingSaidOf(studio, boris))).not.toContain(CANARY)
  })

  test('are encrypted again under the newest key, even by two concurrent processes; then the old key can be dropped', async () => {
    const { ana, dora, studio } = await canarySaved()
    const [old, newest] = [defined(studio.settings.healthDataKeys[0]), randomBytes(32)]
    const both = createVault([newest, old])
    const rotate = () => rotateHealthKeys(studio.server.database.transaction, both)
    const sealed = await studio.count(`select count(*) from (${sealedColumns}) as everything`)
    const [one, other] = await Promise.all([rotate(), rotate()])
    expect(one + other).toBe(sealed)
    expect(await rotate()).toBe(0)

    const vault = createVault([newest])
    expect(await questionnaireOf(studio.db, vault, ana.id)).toMatchObject({ allergies: CANARY })
    const [contact] = await studio.db.select().from(emergencyContacts).where(eq(emergencyContacts.userId, ana.id))
    expect(vault.open(ofMember(defined(contact)), 'emergency-contact', defined(contact).sealed)).toMatchObject({
      name: CANARY,
    })
    for (const update of await studio.db.select().from(healthUpdates)) {
      expect(vault.open(ofUpdate(update), 'changes', update.sealedChanges)).toBeTypeOf('object')
    }
    // The running server still has the old key alone.
    for (const update of await updatesOf(dora)) expect(update).toMatchObject({ unreadable: UNREADABLE })
  })

  test('are unchanged by a rotation without the right keys, which fails', async () => {
    const { ana, studio } = await canarySaved()
    const stranger = createVault([randomBytes(32)])
    const rotation = rotateHealthKeys(studio.server.database.transaction, stranger)
    await expect(rotation).rejects.toThrow('which HEALTH_DATA_KEY does not hold')
    expect((await ana.call(contract.getQuestionnaire)).body.allergies).toBe(CANARY)
  })
})
