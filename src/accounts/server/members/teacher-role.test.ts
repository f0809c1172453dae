import { describe, expect, test } from 'vitest'
import { accountRefusals, editUser, getCurrentUser } from '#accounts/contract.ts'
import { makeAdmin } from '#accounts/server/accounts.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { getAnalytics, getOverview, listAudit, listUsers } from '#insights/contract.ts'
import { listSecurityRecord } from '#insights/contract-security.ts'
import { previewMessage } from '#mailings/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'

const editRole = (admin: Person, person: Person, role: unknown) =>
  admin.call(editUser, { params: { id: person.id }, body: { role } })

describe('the role of a teacher', () => {
  test('is given and taken by an admin, recorded, and takes effect with the next request', async () => {
    const { studio, boris, dora } = await openStudio()
    expect(await editRole(dora, boris, 'teacher')).toMatchObject({
      status: 200,
      body: { role: 'teacher', isAdmin: false },
    })
    expect((await boris.call(getCurrentUser)).body).toMatchObject({ role: 'teacher', isAdmin: false })
    expect(await boris.call(listUsers)).toBeRefused(commonRefusals.forbidden)
    const history = await dora.read(listAudit, { query: { subject: `user:${boris.id}` } })
    expect(history[0]?.changes).toEqual({ isTeacher: { before: false, after: true } })
    await editRole(dora, boris, 'member')
    expect((await boris.call(getCurrentUser)).body.role).toBe('member')
    const kinds = (await dora.read(listSecurityRecord)).filter(({ subject }) => subject?.id === boris.id)
    expect(kinds.map(({ kind }) => kind).filter((kind) => kind.startsWith('teacher'))).toEqual([
      'teacher_taken',
      'teacher_given',
    ])
    expect(await studio.count('select count(*) from users where is_teacher')).toBe(0)
  })

  test('changes to admin and back; `isAdmin` keeps working', async () => {
    const { studio, boris, dora } = await openStudio()
    const edit = async (body: object) => (await dora.call(editUser, { params: { id: boris.id }, body })).body
    await edit({ role: 'teacher' })
    expect(await edit({ isAdmin: false })).toMatchObject({ role: 'teacher', isAdmin: false })
    expect(await edit({ isAdmin: true })).toMatchObject({ role: 'admin', isAdmin: true })
    expect(await edit({ role: 'teacher' })).toMatchObject({ role: 'teacher', isAdmin: false })
    expect(await edit({ isAdmin: true, role: 'member' })).toMatchObject({ role: 'member', isAdmin: false })
    await edit({ role: 'teacher' })
    await studio.server.database.transaction((tx) => makeAdmin(tx, boris.email, studio.clock.now()))
    expect((await dora.read(listUsers, { query: { search: 'boris' } }))[0]?.role).toBe('admin')
    expect(await edit({ isAdmin: false })).toMatchObject({ role: 'member', isAdmin: false })
  })

  test('is refused to oneself as the last admin, and to an unknown word', async () => {
    const { boris, dora } = await openStudio()
    expect(await editRole(dora, dora, 'teacher')).toBeRefused(accountRefusals.cannot_demote_self)
    expect(await editRole(dora, boris, 'owner')).toMatchObject({ status: 400, body: { errors: [{ path: 'role' }] } })
  })

  test('counts in Total Users, but is no registered student and gets no messages to members', async () => {
    const { studio, dora } = await openStudio()
    const before = await dora.read(getAnalytics)
    const { totalUsers } = await dora.read(getOverview)
    const tom = await studio.teacher('Tom')
    expect((await dora.read(getAnalytics)).registeredStudents).toBe(before.registeredStudents)
    expect((await dora.read(getOverview)).totalUsers).toBe(totalUsers + 1)
    const body = { audience: 'members', kind: 'service', subject: 'Late', text: 'Hello' }
    expect(JSON.stringify((await dora.call(previewMessage, { body })).body)).not.toContain(tom.email)
  })

  test('cannot be held together with that of an admin, even by a release that sets is_admin alone', async () => {
    const { studio, dora } = await openStudio()
    const { pool } = studio.server.database
    await expect(pool.query('update users set is_teacher = true where id = $1', [dora.id])).rejects.toThrow(
      'an_admin_is_not_also_a_teacher',
    )
    const tom = await studio.teacher('Tom')
    await pool.query('update users set is_admin = true where id = $1', [tom.id])
    expect(await studio.count('select count(*) from users where is_teacher')).toBe(0)
  })
})
