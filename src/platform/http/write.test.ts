import { beforeAll, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { packageRefusals } from '#packages/contract.ts'
import type { Person } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'

const story = shareStudio()
let packageId: number
let next = 0

beforeAll(async () => {
  packageId = (await story.studio.createPackage()).id
})

const newMember = () => story.studio.member(`Gus ${next++}`)

function give(admin: Person, to: Person, key: string | undefined, more: object = {}) {
  const body = { packageId, creditsToGift: 2, expiryMonths: 6, ...more }
  const headers = key === undefined ? undefined : { 'idempotency-key': key }
  return admin.request('POST', `/api/admin/users/${to.id}/gift-credits`, body, headers)
}

const creditsOf = (person: Person) => story.studio.creditsOf(person)

test('gives once for the same key, and repeats the first response', async () => {
  const gus = await newMember()
  const first = await give(story.dora, gus, 'once')
  // A retry; unknown fields and white space do not count.
  const again = await give(story.dora, gus, 'once', { userId: gus.id })
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  const { rows } = await story.studio.server.database.pool.query(
    "select response from idempotency_keys where key = 'once'",
  )
  expect(rows).toEqual([{ response: first.body }])
  expect(await creditsOf(gus)).toBe(2)
  expect(await story.studio.count('select count(*) from audit_log where subject_id = $1', [gus.id])).toBe(1)
})

test('gives once for ten concurrent requests with one key', async () => {
  const gus = await newMember()
  const responses = await Promise.all(Array.from({ length: 10 }, () => give(story.dora, gus, 'at once')))
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  expect(responses[0]?.status).toBe(201)
  expect(await creditsOf(gus)).toBe(2)
})

test('refuses the same key with another body or for another member', async () => {
  const [gus, gina] = [await newMember(), await newMember()]
  await give(story.dora, gus, 'another')
  expect(await give(story.dora, gus, 'another', { creditsToGift: 3 })).toBeRefused(
    commonRefusals.idempotency_key_reused,
  )
  expect(await give(story.dora, gina, 'another')).toBeRefused(commonRefusals.idempotency_key_reused)
  expect([await creditsOf(gus), await creditsOf(gina)]).toEqual([2, 0])
})

test('gives again without a key or with another one; keys belong to one admin', async () => {
  const [gus, dan] = [await newMember(), await story.studio.admin(`Dan ${next++}`)]
  for (const [admin, key] of [
    [story.dora, undefined],
    [story.dora, undefined],
    [story.dora, 'mine'],
    [story.dora, 'mine too'],
    [dan, 'mine'],
  ] as const) {
    expect((await give(admin, gus, key)).status).toBe(201)
  }
  expect(await creditsOf(gus)).toBe(10)
})

test('leaves the key unused when the gift is refused', async () => {
  const gus = await newMember()
  expect(await give(story.dora, gus, 'refused', { packageId: 2_000_000_000 })).toBeRefused(
    packageRefusals.package_not_found,
  )
  expect((await give(story.dora, gus, 'refused')).status).toBe(201)
  expect(await creditsOf(gus)).toBe(2)
})

test('accepts keys of 1 to 255 characters', async () => {
  const gus = await newMember()
  expect((await give(story.dora, gus, 'x'.repeat(256))).status).toBe(400)
  expect((await give(story.dora, gus, 'x'.repeat(255))).status).toBe(201)
  expect(await creditsOf(gus)).toBe(2)
})

test('does not repeat a response to a caller who has lost access', async () => {
  const [gus, dan] = [await newMember(), await story.studio.admin(`Dan ${next++}`)]
  await give(dan, gus, 'demoted')
  await story.studio.server.database.pool.query('update users set is_admin = false where id = $1', [dan.id])
  expect(await give(dan, gus, 'demoted')).toBeRefused(commonRefusals.forbidden)
})

test('deletes keys in the night after a day', async () => {
  const gus = await newMember()
  const startedAt = story.studio.clock.now()
  const kept = () => story.studio.count("select count(*) from idempotency_keys where key = 'forgotten'")
  await give(story.dora, gus, 'forgotten')
  story.studio.clock.set(startedAt.add({ hours: 24 }))
  await story.studio.server.workers['tidy-up']({}, 'by hand')
  expect(await kept()).toBe(1)
  story.studio.clock.set(startedAt.add({ hours: 24, seconds: 1 }))
  await story.studio.server.workers['tidy-up']({}, 'by hand')
  expect(await kept()).toBe(0)
})

test('deletes stored responses that name an erased member', async () => {
  const { studio, dora, boris } = story
  const headers = { 'idempotency-key': 'names a member' }
  const added = { firstName: 'Ida', lastName: 'Gone', email: 'ida@people.example', phone: '01632 960177' }
  const { body: ida } = await dora.request('POST', '/api/admin/users', added, headers)
  const sale = { packageId, method: 'cash', amount: '40.00' }
  const path = (id: string) => `/api/admin/users/${id}/purchases`
  expect((await dora.request('POST', path(ida.id), sale, { 'idempotency-key': 'hers' })).status).toBe(201)
  expect((await dora.request('POST', path(boris.id), sale, { 'idempotency-key': 'his' })).status).toBe(201)
  const note = (id: string, key: string) =>
    dora.request('POST', `/api/admin/users/${id}/notes`, { text: 'Prefers mornings.' }, { 'idempotency-key': key })
  expect([(await note(ida.id, 'her note')).status, (await note(boris.id, 'his note')).status]).toEqual([201, 201])
  const csv = 'first name,last name,email\nIda,Gone,IDA@people.example'
  const checkPrograms = { csv, dryRun: true }
  expect((await dora.request('POST', '/api/admin/import', checkPrograms, { 'idempotency-key': 'file' })).status).toBe(
    200,
  )

  expect((await dora.request('DELETE', `/api/admin/users/${ida.id}`)).status).toBe(200)
  const kept = 'select count(*) from idempotency_keys where key = any($1)'
  expect(await studio.count(kept, [['names a member', 'hers', 'her note', 'file']])).toBe(0)
  expect(await studio.count("select count(*) from idempotency_keys where response::text ilike '%ida%'")).toBe(0)
  expect(await studio.count(kept, [['his', 'his note']])).toBe(2)
})

test('stores no response with a health answer: a repeated save saves again', async () => {
  const gus = await newMember()
  const contact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
  const save = () => gus.request('POST', '/api/health/emergency-contact', contact, { 'idempotency-key': 'private' })
  expect([(await save()).status, (await save()).status]).toEqual([200, 200])
  expect(await story.studio.count('select count(*) from idempotency_keys where user_id = $1', [gus.id])).toBe(0)
})

test('keeps the keys of visitors apart from those of members', async () => {
  const { studio, boris } = story
  const complain = (who: Person, email: string) =>
    who.request(
      'POST',
      '/api/data-complaints',
      { name: 'Vi', email, complaint: 'Too many emails.' },
      { 'idempotency-key': 'vi' },
    )
  const visitor = studio.visitor()
  expect([
    (await complain(visitor, 'vi@people.example')).status,
    (await complain(visitor, 'vi@people.example')).status,
  ]).toEqual([201, 201])
  expect((await complain(boris, 'vi@people.example')).status).toBe(201)
  expect(await studio.count("select count(*) from data_complaints where email = 'vi@people.example'")).toBe(2)
  expect(await complain(visitor, 'other@people.example')).toBeRefused(commonRefusals.idempotency_key_reused)
})
