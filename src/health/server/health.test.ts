import { asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { withdrawHealthConsent } from '#privacy/contract-own.ts'
import { initialFacts } from '#studio.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { consents } from '../consents.ts'
import * as contract from '../contract.ts'
import { healthQuestionnaires, healthReads, healthUpdates } from '../tables.ts'
import { isHealthComplete } from './health.ts'

const carl = { contactName: 'Carl', relationship: 'Brother', phoneNumber: '01632 960001' }

const saveAnswers = (person: Person, body: unknown) => person.call(contract.saveQuestionnaire, { body })
const names = (person: Person, body: unknown) => person.call(contract.saveEmergencyContact, { body })
const updatesOf = async (admin: Person, query: Record<string, string> = {}) =>
  (await admin.call(contract.listHealthUpdates, { query })).body as contract.HealthUpdate[]
const changesIn = (update: contract.HealthUpdate | undefined) => JSON.parse(update?.changes ?? 'null')

describe('a member’s questionnaire', () => {
  test('is saved and read back for its member only', async () => {
    const { ana, boris } = await openStudio()
    const saved = await saveAnswers(ana, {
      allergies: ' Latex 🐈 ',
      hasDiabetes: true,
      fitnessLevel: '',
      bloodGroup: '0',
    })
    expect(saved).toMatchObject({
      status: 200,
      body: { allergies: ' Latex 🐈 ', hasDiabetes: true, hasBackProblems: false, fitnessLevel: null },
    })
    expect(saved.body).not.toHaveProperty('bloodGroup')
    expect((await ana.call(contract.getQuestionnaire)).body).toEqual(saved.body)
    expect(await boris.call(contract.getQuestionnaire)).toMatchObject({ status: 200, body: null })
  })

  test('is replaced entirely by the next save', async () => {
    const { ana } = await openStudio()
    await saveAnswers(ana, { allergies: 'Latex', marketingConsent: true })
    await saveAnswers(ana, { fitnessLevel: 'beginner' })
    expect((await ana.call(contract.getQuestionnaire)).body).toMatchObject({
      allergies: null,
      fitnessLevel: 'beginner',
      marketingConsent: false,
    })
  })

  test('records the time and version of the consent', async () => {
    const { ana, studio } = await openStudio()
    studio.travelTo('Tuesday 10:00')
    await saveAnswers(ana, { marketingConsent: true })
    const [row] = await studio.db.select().from(healthQuestionnaires).where(eq(healthQuestionnaires.userId, ana.id))
    expect(row?.consentedAt.toString()).toBe('2026-12-08T10:00:00Z')
    expect(row).toMatchObject({ consentTextVersion: consents.version, marketingConsent: true })
  })

  test.each([
    [{ fitnessLevel: 'olympic' }, 'fitnessLevel'],
    [{ hasDiabetes: 'yes' }, 'hasDiabetes'],
    [{ allergies: ['Latex'] }, 'allergies'],
    [{ allergies: 'x'.repeat(5001) }, 'allergies'],
    [{ allergies: 'nul \0' }, ''],
    [[], ''],
  ])('%o is refused and changes nothing', async (body, path) => {
    const { boris, dora } = await openStudio()
    const answer = await saveAnswers(boris, body)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } })
    expect((await boris.call(contract.getQuestionnaire)).body).toBeNull()
    expect(await updatesOf(dora, { search: 'Boris' })).toEqual([])
  })
})

describe('an emergency contact', () => {
  test('is saved and read back under the names of the contract, for its member only', async () => {
    const { boris, ana } = await openStudio()
    const contact = { name: 'Carl', relationship: 'Brother', phone: '01632 960001', email: null }
    expect(await names(boris, carl)).toMatchObject({ status: 200, body: contact })
    expect((await boris.call(contract.getEmergencyContact)).body).toMatchObject(contact)
    expect((await ana.call(contract.getEmergencyContact)).body.name).not.toBe('Carl')
  })

  test.each([
    [{ ...carl, contactName: '' }, 'contactName', 'Emergency contact name is required'],
    [{ ...carl, contactName: 'x'.repeat(256) }, 'contactName', 'Name is too long'],
    [{ ...carl, relationship: 'x'.repeat(101) }, 'relationship', 'Relationship is too long'],
    [{ ...carl, phoneNumber: '0163296' }, 'phoneNumber', 'Please enter a valid phone number'],
    [{ ...carl, phoneNumber: '01632 ext 960' }, 'phoneNumber', 'Please enter a valid phone number'],
    [{ ...carl, email: 'carl' }, 'email', 'Please enter a valid email address'],
  ])('refuses %o with an error for %s', async (body, path, message) => {
    const { boris } = await openStudio()
    expect(await names(boris, body)).toMatchObject({ status: 400, body: { errors: [{ path, message }] } })
    expect((await boris.call(contract.getEmergencyContact)).body).toBeNull()
  })

  test('is required for booking, as is the questionnaire', async () => {
    const { boris, studio } = await openStudio()
    expect(await isHealthComplete(studio.db, boris.id)).toBe(false)
    await names(boris, carl)
    expect(await isHealthComplete(studio.db, boris.id)).toBe(false)
    await saveAnswers(boris, {})
    expect(await isHealthComplete(studio.db, boris.id)).toBe(true)
  })
})

describe('health updates', () => {
  test('are created by every save, including the first and an unchanged one', async () => {
    const { boris, dora } = await openStudio()
    await saveAnswers(boris, { allergies: 'Latex' })
    await saveAnswers(boris, { allergies: 'Latex' })
    await saveAnswers(boris, { hasDiabetes: true })
    await names(boris, carl)
    const updates = (await updatesOf(dora, { search: 'boris' })).reverse()
    expect(updates.map(({ updateType, user }) => [updateType, user.firstName])).toEqual([
      ['questionnaire_updated', 'Boris'],
      ['questionnaire_updated', 'Boris'],
      ['questionnaire_updated', 'Boris'],
      ['emergency_contact_updated', 'Boris'],
    ])
    expect(updates.map(changesIn)).toEqual([
      { allergies: { old: null, new: 'Latex' } },
      {},
      { allergies: { old: 'Latex', new: null }, hasDiabetes: { old: false, new: true } },
      {
        name: { old: null, new: 'Carl' },
        relationship: { old: null, new: 'Brother' },
        phone: { old: null, new: '01632 960001' },
      },
    ])
  })

  test('mark the first save of each form, even after consent was withdrawn', async () => {
    const { boris, dora } = await openStudio()
    await saveAnswers(boris, {})
    await names(boris, carl)
    await saveAnswers(boris, {})
    const saved = async () =>
      (await updatesOf(dora, { search: 'boris' })).reverse().map(({ isFirst, changes }) => [isFirst, changes])
    expect(await saved()).toEqual([
      [true, '{}'],
      [true, expect.stringContaining('Carl')],
      [false, '{}'],
    ])
    await boris.call(withdrawHealthConsent)
    await saveAnswers(boris, {})
    expect(await saved()).toEqual([[true, '{}']])
  })

  test('concurrent first saves succeed and record their changes in turn', async () => {
    const { boris, dora } = await openStudio()
    const saves = await Promise.all([1, 2, 3, 4, 5, 6].map((i) => saveAnswers(boris, { allergies: `no. ${i}` })))
    expect(saves.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const changes = (await updatesOf(dora, { search: 'boris' })).reverse().map((update) => changesIn(update).allergies)
    expect(changes).toHaveLength(6)
    changes.forEach((change, place) => {
      expect(change.old).toBe(place === 0 ? null : changes[place - 1].new)
    })
    expect((await boris.call(contract.getQuestionnaire)).body.allergies).toBe(changes.at(-1).new)
  })

  test('are listed newest first, paged, and searched by name or email but not by answers', async () => {
    const { ana, boris, dora, studio } = await openStudio()
    studio.travelTo('Monday 10:00')
    await saveAnswers(boris, { allergies: 'Latex' })
    studio.travelTo('Monday 11:00')
    await saveAnswers(ana, { allergies: 'Latex' })
    const all = await updatesOf(dora)
    expect(all.map(({ userId }) => userId)).toEqual([ana.id, boris.id, ana.id, ana.id])
    expect(await updatesOf(dora, { limit: '1', offset: '1' })).toEqual([all[1]])
    expect((await updatesOf(dora, { search: 'BORIS CAST' })).map(({ id }) => id)).toEqual([all[1]?.id])
    expect((await updatesOf(dora, { search: boris.email })).map(({ id }) => id)).toEqual([all[1]?.id])
    for (const search of ['Latex', '%', '_', '\\']) expect(await updatesOf(dora, { search })).toEqual([])
  })

  test('record one line per member and read', async () => {
    const { ana, boris, dora, studio } = await openStudio()
    await saveAnswers(boris, {})
    await updatesOf(dora)
    await updatesOf(dora, { search: 'nobody' })
    await updatesOf(dora, { search: 'boris' })
    const reads = await studio.db.select().from(healthReads).orderBy(asc(healthReads.id))
    expect(new Set(reads.slice(0, 2).map(({ memberId }) => memberId))).toEqual(new Set([ana.id, boris.id]))
    expect(reads.slice(2).map(({ memberId }) => memberId)).toEqual([boris.id])
    expect(new Set(reads.map(({ adminId }) => adminId))).toEqual(new Set([dora.id]))
  })

  test('are marked as sent once; repeating keeps the first time', async () => {
    const { dora, studio } = await openStudio()
    const [update] = await updatesOf(dora)
    expect(update?.notificationSent).toBe(false)
    const mark = (id: unknown) => dora.call(contract.markHealthUpdateSent, { params: { id } })
    expect(await mark(update?.id)).toMatchObject({ status: 200, body: { ...update, notificationSent: true } })
    studio.travelTo('Tuesday 10:00')
    expect((await mark(update?.id)).status).toBe(200)
    const [row] = await studio.db
      .select()
      .from(healthUpdates)
      .where(eq(healthUpdates.id, update?.id as number))
    expect(row?.notifiedAt?.toString()).toBe('2026-12-07T09:00:00Z')
    expect(await mark(999_999)).toBeRefused(contract.healthRefusals.health_update_not_found)
    expect((await mark('nothing')).status).toBe(404)
  })
})

test('marks updates that were shown together as sent, and lists new ones first', async () => {
  const { ana, boris, dora } = await openStudio()
  await saveAnswers(ana, { allergies: 'Zinc' })
  await saveAnswers(boris, { allergies: 'Latex' })
  const ofAna = (await updatesOf(dora)).filter(({ userId }) => userId === ana.id)
  const [first, ...others] = ofAna.map(({ id }) => id)
  await dora.call(contract.markHealthUpdateSent, { params: { id: first }, body: { also: others } })
  const sent = (await updatesOf(dora)).map(({ notificationSent }) => notificationSent)
  expect(sent.filter(Boolean)).toHaveLength(ofAna.length)
  expect(sent.lastIndexOf(false)).toBeLessThan(sent.indexOf(true))
  const [record] = (await dora.request('GET', `/api/admin/audit?subject=health_update:${others[0]}`)).body
  expect(record).toMatchObject({ action: 'marked_sent' })
})

test("keep a member's day together in a page, if asked to", async () => {
  const { ana, boris, dora, studio } = await openStudio()
  await saveAnswers(boris, { allergies: 'Latex' })
  await saveAnswers(ana, { allergies: 'Zinc' })
  studio.travelTo('Tuesday 10:00')
  await saveAnswers(ana, { allergies: 'Nickel' })
  const page = async (offset: number) => {
    const query = { by: 'day', limit: '1', offset: String(offset) }
    const { headers, body } = await dora.call(contract.listHealthUpdates, { query })
    return [headers.get('x-total-count'), (body as contract.HealthUpdate[]).map(({ userId }) => userId)]
  }
  expect(await page(0)).toEqual(['3', [ana.id]])
  expect(await page(1)).toEqual(['3', [ana.id, ana.id, ana.id]])
  expect(await page(2)).toEqual(['3', [boris.id]])
})

test('refuses visitors everywhere, and members on admin endpoints', async () => {
  const { ana, dora, studio } = await openStudio()
  const [update] = await updatesOf(dora)
  const params = { id: update?.id }
  const visitor = studio.visitor()
  for (const endpoint of [contract.getQuestionnaire, contract.getEmergencyContact, contract.listHealthUpdates]) {
    expect(await visitor.call(endpoint)).toBeRefused(commonRefusals.unauthorized)
  }
  expect(await saveAnswers(visitor, {})).toBeRefused(commonRefusals.unauthorized)
  expect(await names(visitor, carl)).toBeRefused(commonRefusals.unauthorized)
  expect(await visitor.call(contract.markHealthUpdateSent, { params })).toBeRefused(commonRefusals.unauthorized)
  expect(await ana.call(contract.listHealthUpdates)).toBeRefused(commonRefusals.forbidden)
  expect(await ana.call(contract.markHealthUpdateSent, { params })).toBeRefused(commonRefusals.forbidden)
  expect((await updatesOf(dora))[0]?.notificationSent).toBe(false)
})

test('emails the owner the name of the member who saved, once per form, without the answers', async () => {
  const { ana, boris, studio } = await openStudio({ now: 'Monday 09:00' })
  const noticesOf = async (of: string) =>
    (await studio.mailTo({ email: initialFacts.ownerEmail })).filter(({ subject }) => subject.startsWith(of))
  await Promise.all([saveAnswers(boris, { allergies: 'Zinc' }), names(boris, carl)])
  expect(await noticesOf('Boris Cast has saved health information')).toHaveLength(1)
  studio.travelTo('Monday 09:09:59')
  await saveAnswers(boris, { allergies: 'Latex' })
  expect(await noticesOf('Boris')).toHaveLength(1)
  studio.travelTo('Monday 09:20')
  await saveAnswers(boris, { allergies: 'Latex' })
  const mails = await noticesOf('Boris')
  expect(mails).toHaveLength(2)
  expect(JSON.stringify(mails)).not.toMatch(/Zinc|Latex|Carl|960001/)
  expect(await noticesOf('Ana')).toHaveLength(1)
  await names(ana, carl)
  expect(await noticesOf('Ana')).toHaveLength(2)
})
