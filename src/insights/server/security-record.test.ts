import { describe, expect, test } from 'vitest'
import { editStudio } from '#facts/contract.ts'
import { getMemberHealth, listHealthUpdates } from '#health/contract.ts'
import { deleteUser, exportMemberData } from '#privacy/contract.ts'
import { recordSecurity } from '#security/server/security.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type Story, shareStudio } from '#testing/studio-under-test.ts'
import { listSecurityRecord, type SecurityLine } from '../contract-security.ts'

const readSecurityRecord = (admin: Person, query: object = {}) => admin.read(listSecurityRecord, { query })

/** Ana mistypes her password once; then Dora creates lines in all three records. */
async function aBusyMorning({ studio, ana, dora }: Story) {
  const details = { method: 'password', why: 'wrong_password', browser: 'Firefox', system: 'Linux' } as const
  await studio.server.database.transaction((tx) =>
    recordSecurity(tx, { kind: 'sign_in_failed', outcome: 'failed', subject: ana.id, details }, studio.clock.now()),
  )
  studio.travelTo('Monday 10:00')
  await dora.call(getMemberHealth, { params: { id: ana.id } })
  studio.travelTo('Monday 10:30')
  await dora.call(listHealthUpdates)
  studio.travelTo('Tuesday 09:00')
  await dora.call(editStudio, { body: { phone: '01632 960777' } })
  studio.travelTo('Tuesday 10:00')
  await dora.call(exportMemberData, { params: { id: ana.id } })
}

const inShort = ({ kind, outcome, actor, subject }: SecurityLine) => [kind, outcome, actor?.name, subject?.name]

describe('lists three records as one', () => {
  const story = shareStudio()
  const KINDS = ['sign_in_failed', 'health_read', 'settings_changed', 'exported'] as const
  const seen = async (query: object = {}) =>
    (await readSecurityRecord(story.dora, query)).filter(({ kind }) => (KINDS as readonly string[]).includes(kind))

  test('newest first, with actor, subject, outcome and network; reading a list is one line', async () => {
    const boris = story.boris
    await story.studio.completeHealth(boris)
    await aBusyMorning(story)
    const lines = await seen()
    expect(lines.map(inShort)).toEqual([
      ['exported', 'done', 'Dora Cast', 'Ana Cast'],
      ['health_read', 'done', 'Dora Cast', 'Ana Cast'],
      ['settings_changed', 'done', 'Dora Cast', undefined],
      ['health_read', 'done', 'Dora Cast', undefined],
      ['health_read', 'done', 'Dora Cast', 'Ana Cast'],
      ['sign_in_failed', 'failed', undefined, 'Ana Cast'],
    ])
    expect(lines[0]).toMatchObject({ at: '2026-12-08T10:00:00Z', from: '127.0.0.0/24' })
    expect(lines[2]?.details).toEqual({ fields: ['phone'] })
    expect(lines[3]).toMatchObject({ subjects: 2, details: { what: 'health_updates' } })
    expect(lines.at(-1)).toMatchObject({ from: null, details: { why: 'wrong_password', browser: 'Firefox' } })
  })

  test('by kind, days and person, with a total', async () => {
    const { dora } = story
    for (const kind of KINDS) {
      const lines = await readSecurityRecord(dora, { kind })
      expect(new Set(lines.map((line) => line.kind)), kind).toEqual(new Set([kind]))
    }
    expect((await seen({ from: '2026-12-08', to: '2026-12-08' })).map(({ kind }) => kind)).toEqual([
      'exported',
      'health_read',
      'settings_changed',
    ])
    // Reading a list counts only for the member searched for.
    expect((await seen({ search: 'boris' })).map(inShort)).toEqual([['health_read', 'done', 'Dora Cast', 'Boris Cast']])
    expect(await seen({ search: 'dora', to: '2026-12-06' })).toEqual([])
    const page = await dora.call(listSecurityRecord, { query: { kind: 'health_read', limit: 1, offset: 1 } })
    expect(page.headers.get('x-total-count')).toBe('3')
    expect(page.body.map(inShort)).toEqual([['health_read', 'done', 'Dora Cast', undefined]])
  })
})

test('shows an erased person as a pseudonym in all three', async () => {
  const story = await openStudio()
  await aBusyMorning(story)
  await story.dora.call(deleteUser, { params: { id: story.ana.id } })
  const lines = await readSecurityRecord(story.dora)
  const about = lines.filter(({ subject }) => subject?.id === story.ana.id)
  expect(about.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['erased', 'exported', 'health_read', 'sign_in_failed', 'signed_in']),
  )
  expect(about.every(({ subject }) => subject?.name === null)).toBe(true)
  expect(JSON.stringify(lines)).not.toMatch(/ana/i)
})
