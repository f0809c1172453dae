import { describe, expect, test } from 'vitest'
import { keysOf } from '#foundation/collections.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { listAudit } from '#insights/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, EDITABLE, EditUserForm, editUser } from '../../contract.ts'

const story = shareStudio()
const edit = (admin: Person, who: { id: string }, body: object) =>
  admin.call(editUser, { params: { id: who.id }, body })
const isAdmin = (who: Person) => story.studio.count('select is_admin::int from users where id = $1', [who.id])

test('changes only fields that are sent; ignores null and unknown fields', async () => {
  const { studio, dora } = story
  const carl = await studio.member('Carl')
  const before = (await carl.request('GET', '/api/auth/user')).body
  const edited = await edit(dora, carl, { firstName: 'Karl' })
  expect(edited.status).toBe(200)
  expect(edited.body).toEqual({ ...before, firstName: 'Karl' })
  for (const body of [
    {},
    { lastName: null, isAdmin: null, email: null, username: null },
    { id: 'x', createdAt: 'x' },
  ]) {
    expect((await edit(dora, carl, body)).body).toEqual(edited.body)
  }
  const all = { username: 'karlchen', email: 'karl@new.example', firstName: 'K', lastName: 'C', isAdmin: true }
  expect((await edit(dora, carl, all)).body).toEqual({ ...before, ...all, role: 'admin' })
})

test('records each field that it changes, and stores an empty optional field as null', async () => {
  const { studio, dora } = story
  const ida = await studio.member('Ida')
  const values = {
    username: 'ida-of-old',
    email: 'ida@new.example',
    firstName: 'Idda',
    lastName: 'Castle',
    phone: '01632 960222',
  } satisfies Record<keyof typeof EDITABLE, string>
  for (const [field, value] of Object.entries(values)) {
    expect((await edit(dora, ida, { [field]: value })).status).toBe(200)
    const [line] = await dora.read(listAudit, { query: { subject: `user:${ida.id}` } })
    expect(line?.changes[field]).toMatchObject({ after: value })
    const emptied = await edit(dora, ida, { [field]: '' })
    expect([200, 400]).toContain(emptied.status)
    if (emptied.status === 200) expect(emptied.body).toMatchObject({ [field]: null })
  }
})

test('the form has every field that an admin can change, and the database checks each', async () => {
  const fields = keysOf(EDITABLE)
  expect(Object.keys(EditUserForm.shape).sort()).toEqual([...fields, 'role', 'teachesAs'].sort())
  const { rows } = await story.studio.server.database.pool.query<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'users'::regclass and contype = 'c'",
  )
  for (const field of fields) {
    const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const decide = `decide what users.${column} may hold, and say it in a constraint`
    expect(
      rows.some(({ text }) => text.includes(`trimmed(${column})`)),
      decide,
    ).toBe(true)
  }
})

test('refuses another user’s name in any case, but allows the user’s own in another case', async () => {
  const { studio, dora, ana } = story
  const dave = await studio.member('Dave')
  await edit(dora, dave, { username: 'dave' })
  for (const [body, refusal] of [
    [{ email: 'ANA@people.example' }, accountRefusals.email_taken],
    [{ username: 'Ana@People.example' }, accountRefusals.username_taken],
    [{ firstName: 'Changed', username: ana.email }, accountRefusals.username_taken],
  ] as const) {
    expect(await edit(dora, dave, body)).toBeRefused(refusal)
  }
  expect(await edit(dora, ana, { username: 'DAVE' })).toBeRefused(accountRefusals.username_taken)
  expect((await dave.request('GET', '/api/auth/user')).body).toMatchObject({ firstName: 'Dave', username: 'dave' })
  expect((await edit(dora, dave, { email: 'DAVE@people.example', username: 'Dave' })).body).toMatchObject({
    email: 'DAVE@people.example',
    username: 'Dave',
  })
})

test('lets one of two concurrent changes to the same name succeed', async () => {
  const { studio, dora } = story
  const pair = [await studio.member('Erin'), await studio.member('Frank')]
  const responses = await Promise.all(pair.map((who) => edit(dora, who, { username: 'wanted' })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(responses.find(({ status }) => status === 400)).toBeRefused(accountRefusals.username_taken)
})

test('refuses an unknown user, and a caller who is a member', async () => {
  const { dora, ana, boris } = story
  expect(await edit(dora, { id: 'nobody' }, { firstName: 'X' })).toBeRefused(accountRefusals.user_not_found)
  expect(await edit(ana, boris, { isAdmin: true })).toBeRefused(commonRefusals.forbidden)
  expect(await edit(ana, ana, { isAdmin: true })).toBeRefused(commonRefusals.forbidden)
  expect(await isAdmin(ana)).toBe(0)
})

describe('admins', () => {
  test('cannot demote themselves, but may edit themselves otherwise', async () => {
    const { dora } = story
    expect(await edit(dora, dora, { isAdmin: false, firstName: 'Theodora' })).toBeRefused(
      accountRefusals.cannot_demote_self,
    )
    expect((await edit(dora, dora, { isAdmin: true, lastName: 'Boss' })).body).toMatchObject({
      isAdmin: true,
      firstName: 'Dora',
      lastName: 'Boss',
    })
  })

  test('cannot delete themselves', async () => {
    const { dora } = story
    const response = await dora.request('DELETE', `/api/admin/users/${dora.id}`)
    expect(response).toBeRefused(accountRefusals.cannot_delete_self)
    expect(await isAdmin(dora)).toBe(1)
  })

  test('may demote another', async () => {
    const { studio, dora } = story
    const other = await studio.admin('Grete')
    expect((await edit(dora, other, { isAdmin: false })).body.isAdmin).toBe(false)
  })

  test.each(['demote', 'delete'] as const)('keeps one admin when two %s each other concurrently', async (how) => {
    const { studio, dora } = await openStudio()
    const eva = await studio.admin('Eva')
    const removeAdmin = (by: Person, who: Person) =>
      how === 'demote' ? edit(by, who, { isAdmin: false }) : by.request('DELETE', `/api/admin/users/${who.id}`)
    const responses = await Promise.all([removeAdmin(dora, eva), removeAdmin(eva, dora)])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    // The other request was refused for the last admin, or its caller was no longer an admin.
    expect([400, 401, 403]).toContain(responses.find(({ status }) => status !== 200)?.status)
    expect(await studio.count('select count(*) from users where is_admin')).toBe(1)
  })
})
