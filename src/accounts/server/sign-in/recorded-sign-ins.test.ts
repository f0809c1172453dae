import { describe, expect, test } from 'vitest'
import { listSecurityRecord, type SecurityLine } from '#insights/contract-security.ts'
import { deleteOwnAccount, exportOwnData } from '#privacy/contract.ts'
import { runRetention } from '#privacy/server/retention-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio, openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, login, register } from '../../contract.ts'
import { editUser as editUserIn } from '../members/edit-user.ts'
import { makeAdmin } from '../members/make-admin.ts'

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const linesOf = (admin: Person, query: object = {}): Promise<SecurityLine[]> =>
  admin.read(listSecurityRecord, { query })
const inShort = ({ kind, outcome, actor, subject, details }: SecurityLine) => [
  kind,
  outcome,
  actor?.name ?? null,
  subject?.name ?? null,
  details,
]

describe('records', () => {
  const story = shareStudio()

  test('a sign-in, a wrong password, an unknown name and a logout, without typed text', async () => {
    const { studio, dora } = story
    const ella = await studio.member('Ella')
    studio.travelTo('Monday 10:00')
    const tryLogin = (username: string, password: string) =>
      studio.visitor().request('POST', '/api/login', { username, password }, { 'user-agent': AGENT })
    await tryLogin('nobody@people.example', 'hunter2-hunter2')
    await tryLogin(ella.email, 'hunter2-hunter2')
    await ella.request('POST', '/api/login', { username: ella.email, password: ella.password }, { 'user-agent': AGENT })
    await ella.request('GET', '/api/logout')
    // Again, with a cookie that is gone.
    await ella.request('GET', '/api/logout')
    const lines = await linesOf(dora, { from: '2026-12-07' })
    const device = { browser: 'Firefox', system: 'Linux' }
    expect(lines.filter(({ at }) => at === '2026-12-07T10:00:00Z').map(inShort)).toEqual([
      ['signed_out', 'done', 'Ella Cast', 'Ella Cast', { cause: 'own_wish' }],
      ['signed_in', 'done', 'Ella Cast', 'Ella Cast', { method: 'password', ...device, isNew: true }],
      ['sign_in_failed', 'failed', null, 'Ella Cast', { method: 'password', why: 'wrong_password', ...device }],
      ['sign_in_failed', 'failed', null, null, { method: 'password', why: 'unknown_account', ...device }],
    ])
    const { rows } = await studio.server.database.pool.query('select * from security_events')
    expect(JSON.stringify(rows)).not.toMatch(/hunter2|nobody@|Mozilla|@people/)
  })

  test('a member’s own download and erasure', async () => {
    const { studio, dora } = story
    const finn = await studio.member('Finn')
    const data = await finn.read(exportOwnData)
    expect(data.security.map(({ what }) => what)).toEqual(['Data downloaded', 'Signed in'])
    await finn.call(deleteOwnAccount)
    const mine = (await linesOf(dora)).filter(({ subject }) => subject?.id === finn.id)
    expect(mine.map(({ kind, details }) => [kind, details])).toEqual([
      ['erased', { cause: 'own_wish' }],
      ['exported', {}],
      ['signed_in', {}],
    ])
  })
})

test('refuses and records a correct password for an unverified address', async () => {
  const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
  const greta = studio.visitor('Greta')
  const { email, password } = greta
  await greta.call(register, { body: { email, password, firstName: 'Greta', lastName: 'Cast' } })
  expect(await greta.call(login, { body: { username: email, password } })).toBeRefused(
    accountRefusals.email_not_verified,
  )
  const { rows } = await studio.server.database.pool.query('select kind, outcome, details from security_events')
  expect(rows).toEqual([
    { kind: 'sign_in_failed', outcome: 'refused', details: { method: 'password', why: 'unverified_address' } },
  ])
})

test('records given and removed admin rights, and keeps the record after an erasure', async () => {
  const { studio, boris, dora } = await openStudio()
  for (const isAdmin of [true, false]) await dora.call(editUser, { params: { id: boris.id }, body: { isAdmin } })
  await dora.call(editUser, { params: { id: boris.id }, body: { firstName: 'Bo' } })
  await studio.server.database.transaction((tx) => makeAdmin(tx, boris.email, studio.clock.now()))
  const roles = (lines: SecurityLine[]) =>
    lines.filter(({ kind, subject }) => kind.startsWith('role') && subject?.id === boris.id)
  expect(
    roles(await linesOf(dora)).map(({ kind, actor, from, details }) => [kind, actor?.name, from, details]),
  ).toEqual([
    ['role_given', undefined, null, { cause: 'command' }],
    ['role_taken', 'Dora Cast', '127.0.0.0/24', { cause: 'studio' }],
    ['role_given', 'Dora Cast', '127.0.0.0/24', { cause: 'studio' }],
  ])
  const carl = await studio.admin('Carl')
  await carl.call(editUser, { params: { id: boris.id }, body: { isAdmin: false } })
  await carl.request('DELETE', `/api/admin/users/${boris.id}`)
  expect(roles(await linesOf(dora))).toHaveLength(4)
})

test('live: emails a change of admin rights to the user and the owner; the demo does not', async () => {
  const { studio, boris, dora } = await openStudio()
  const change = (mode: 'demo' | 'live', isAdmin: boolean) =>
    studio.server.database.transaction((tx) =>
      editUserIn(
        tx,
        dora,
        boris.id,
        { isAdmin },
        { mode, verification: 'off', tokenOf: (id) => id, now: studio.clock.now() },
      ),
    )
  await change('demo', true)
  await change('live', false)
  const mails = (await studio.mailbox()).filter(({ subject }) => subject.includes('dmin rights'))
  expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
    [boris.email, 'Admin rights removed: your account'],
    ['owner@aldergate.example', 'Admin rights removed: Boris Cast'],
  ])
})

test('records retention as the actor when it erases a member', async () => {
  const studio = await openEmptyStudio()
  const [dora, ana] = [await studio.admin('Dora'), await studio.member('Ana')]
  studio.travelTo('2028-12-08 09:00')
  await runRetention(studio)
  await studio.logIn(dora)
  const erased = await linesOf(dora, { kind: 'erased' })
  expect(erased).toMatchObject([{ actor: null, subject: { id: ana.id, name: null }, details: { cause: 'retention' } }])
})
