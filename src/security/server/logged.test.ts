import { expect, test } from 'vitest'
import { editUser } from '#accounts/contract.ts'
import { getMemberHealth } from '#health/contract.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { recordSecurity } from './security.ts'

/** The logged record, without the fields of every line. */
const logged = (studio: StudioUnderTest) =>
  studio.logged.flatMap((line) => {
    const { security } = JSON.parse(line)
    return security ? [security] : []
  })

test('each line is also logged, with ids but without names or changes', async () => {
  const { studio, ana, dora } = await openStudio()
  const before = studio.logged.length
  const at = { address: '127.0.0.0/24' }
  await studio.visitor().request('POST', '/api/login', { username: ana.email, password: 'canary-wrong' })
  await dora.call(getMemberHealth, { params: { id: ana.id } })
  await dora.call(editUser, { params: { id: ana.id }, body: { firstName: 'Canaryname' } })
  studio.logged.splice(0, before)
  expect(logged(studio)).toEqual([
    expect.objectContaining({ kind: 'sign_in_failed', outcome: 'failed', actorId: null, subjectId: ana.id, ...at }),
    { kind: 'health_read', actorId: dora.id, subjectIds: [ana.id], what: 'answers', ...at },
    {
      kind: 'admin_change',
      action: 'edited',
      actorId: dora.id,
      subjectKind: 'user',
      subjectIds: [ana.id],
      fields: ['firstName'],
      ...at,
    },
  ])
  for (const word of ['canary', 'Canary', 'Ana', ana.email, dora.email])
    expect(studio.logged.join()).not.toContain(word)
})

test('does not log a rolled-back transaction, and logs the next one on its connection once', async () => {
  const { studio, ana } = await openStudio()
  const { transaction } = studio.server.database
  const write = (cause: 'email' | 'role', end: () => void) =>
    transaction(async (tx) => {
      const event = { kind: 'sessions_ended', actor: ana.id, details: { sessions: 1, cause } } as const
      await recordSecurity(tx, event, studio.clock.now())
      end()
    })
  const undone = write('email', () => {
    throw new Error('thought better of it')
  })
  await expect(undone).rejects.toThrow('thought better of it')
  await write('role', () => {})
  const ended = logged(studio).filter(({ kind }) => kind === 'sessions_ended')
  expect(ended.map(({ details }) => details.cause)).toEqual(['role'])
})
