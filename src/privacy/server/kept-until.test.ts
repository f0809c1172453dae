import { describe, expect, test } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { openComplaint } from '../contract.ts'
import { getKeptUntil } from '../contract-own.ts'
import { firstDayToErase } from '../rules.ts'
import { afterLastClass, countUsers, hasHealth, runRetention } from './retention-under-test.ts'

describe('the first day to erase', () => {
  const at = (text: string) => Temporal.Instant.from(text)
  test.each([
    // Two years, and the day is London's: half past eleven in the evening UTC is tomorrow in summer.
    ['contact', '2026-12-07T09:00:00Z', '2028-12-07'],
    ['contact', '2026-07-01T23:30:00Z', '2028-07-02'],
    ['health', '2026-12-08T18:45:00Z', '2027-06-08'],
    ['health', '2026-12-07T00:00:00Z', '2027-06-07'],
    // The 29th to the 31st of August have no day of their own in February: they are over with the first that is later.
    ['health', '2027-08-28T12:00:00Z', '2028-02-28'],
    ['health', '2027-08-29T12:00:00Z', '2028-02-29'],
    ['health', '2027-08-31T12:00:00Z', '2028-03-01'],
    ['financial', '2026-02-28T12:00:00Z', '2032-02-28'],
    ['records', '2028-02-29T12:00:00Z', '2029-03-01'],
  ] as const)('%s kept from %s is due on %s', (part, since, day) => {
    expect(firstDayToErase(part, at(since))).toBe(day)
  })
})

test('the job erases on the day shown to the member, and not the night before', async () => {
  const { studio, ana } = await afterLastClass()
  const shown = await ana.read(getKeptUntil)
  expect(shown).toEqual({
    account: '2028-12-08',
    accountSince: 'last_class',
    health: '2027-06-08',
    keptBy: [],
    purchases: null,
  })
  const leftAt = async (when: string) => {
    studio.travelTo(when)
    await runRetention(studio)
    return { health: (await hasHealth(studio, ana)) > 0, account: (await countUsers(studio, ana)) > 0 }
  }
  expect(await leftAt(`${shown.health} 00:00`)).toEqual({ health: true, account: true })
  expect(await leftAt(`${shown.health} 23:59`)).toEqual({ health: false, account: true })
  expect(await leftAt(`${shown.account} 00:00`)).toEqual({ health: false, account: true })
  expect(await leftAt(`${shown.account} 23:59`)).toEqual({ health: false, account: false })
})

test('names the reasons to keep data longer, and counts from the sign-up if there was no class', async () => {
  const studio = await openEmptyStudio()
  const dora = await studio.admin('Dora')
  const boris = await studio.member('Boris', { credits: 1, health: true })
  const query = { account: '2028-12-07', accountSince: 'sign_up', health: '2027-06-07' }
  expect(await boris.read(getKeptUntil)).toMatchObject({ ...query, keptBy: ['pass'] })
  await dora.call(openComplaint, { params: { id: boris.id }, body: { reason: 'A bill' } })
  await boris.book(await studio.createClass('Tuesday 18:00'))
  const { keptBy } = await boris.read(getKeptUntil)
  expect([...keptBy].sort()).toEqual(['booking', 'complaint'])
  expect(await dora.read(getKeptUntil)).toMatchObject({ account: null, health: null, keptBy: ['admin'] })
  expect(await studio.visitor().call(getKeptUntil)).toBeRefused(commonRefusals.unauthorized)
})
