import { expect, test } from 'vitest'
import { getQuestionnaire } from '#health/contract.ts'
import { exportOwnData } from '#privacy/contract.ts'
import { getConsents, withdrawHealthConsent } from '#privacy/contract-own.ts'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { answerNewsOffer, getNewsOffer } from '../contract-news.ts'
import { NEWS_OFFER } from '../rules.ts'
import { recordMarketingConsent } from './mailings.ts'
import { agrees, previews, subscribeReader } from './mailings-under-test.ts'

const OFFER = { audience: 'members', kind: 'marketing' }
const isOffered = async (person: Person) => (await person.read(getNewsOffer)).isOffered
const answer = (person: Person, wantsNews: boolean) => person.call(answerNewsOffer, { body: { wantsNews } })

test('offers news once, after the first booking, and records a yes with its words', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const id = await studio.createClass({ at: 'Tuesday 09:30' })
  expect(await isOffered(ana)).toBe(false)
  await ana.book(id)
  expect([await isOffered(ana), await isOffered(boris), await isOffered(dora)]).toEqual([true, false, false])
  studio.travelTo('Monday 09:10')
  expect((await answer(ana, true)).body).toEqual({ message: 'You will hear from us by email.' })
  expect(await isOffered(ana)).toBe(false)
  expect((await ana.read(getConsents)).marketing).toEqual({ agreedAt: '2026-12-07T09:10:00Z', text: NEWS_OFFER })
  expect((await previews(dora, OFFER)).recipients).toBe(1)
  // The form shows it, so that saving the form for another reason does not withdraw it.
  expect((await ana.call(getQuestionnaire)).body.marketingConsent).toBe(true)
  const { marketingConsent, newsOfferAnsweredAt } = await ana.read(exportOwnData)
  expect([marketingConsent?.source, newsOfferAnsweredAt]).toEqual(['dashboard', '2026-12-07T09:10:00Z'])
  studio.travelTo('Monday 09:20')
  await agrees(ana, false)
  expect([(await previews(dora, OFFER)).recipients, await isOffered(ana)]).toEqual([0, false])
})

test('does not offer news again after a no, nor to members who agreed, objected, subscribed or cannot receive it', async () => {
  const { studio, ana } = await openStudio()
  const { pool } = studio.server.database
  const id = await studio.createClass({ at: 'Tuesday 09:30' })
  await ana.book(id)
  const hides = async (sql: string) => {
    await pool.query(sql, [ana.id])
    return !(await isOffered(ana))
  }
  await agrees(ana)
  expect(await isOffered(ana)).toBe(false)
  await agrees(ana, false)
  expect(await hides("update users set blocked_at = now(), blocked_reason = 'x' where id = $1")).toBe(true)
  expect(await hides('update users set blocked_at = null, blocked_reason = null where id = $1')).toBe(false)
  await subscribeReader(studio, ana.email.toUpperCase())
  expect(await isOffered(ana)).toBe(false)
  await pool.query('delete from newsletter_subscribers')
  expect(await hides('insert into marketing_objections (user_id, objected_at) values ($1, now())')).toBe(true)
  expect(await hides('delete from marketing_objections where user_id = $1')).toBe(false)
  for (const _ of ['once', 'twice']) expect((await answer(ana, false)).status).toBe(200)
  expect(await isOffered(ana)).toBe(false)
  expect((await ana.read(getConsents)).marketing).toBeNull()
})

test('a health form saved later without the tick ends a consent from elsewhere, also once the form is erased', async () => {
  const { studio, ana, dora } = await openStudio()
  const [given, now] = [studio.clock.now().subtract({ hours: 240 }), studio.clock.now()]
  await studio.server.database.transaction((tx) =>
    recordMarketingConsent(tx, { userId: ana.id, agreedAt: given, source: 'import', note: 'Paper form' }, now),
  )
  // Ana's first form was saved after the consent of the file, without the tick.
  expect((await previews(dora, OFFER)).recipients).toBe(0)
  expect((await ana.read(getConsents)).marketing).toBeNull()
  await agrees(ana)
  expect((await previews(dora, OFFER)).recipients).toBe(1)
  await agrees(ana, false)
  await ana.call(withdrawHealthConsent)
  expect((await previews(dora, OFFER)).recipients).toBe(0)
  // A consent later than the form counts.
  studio.travelTo('Monday 09:30')
  const later = { userId: ana.id, agreedAt: studio.clock.now(), source: 'import' as const, note: 'Paper form' }
  await studio.server.database.transaction((tx) => recordMarketingConsent(tx, later, studio.clock.now()))
  expect((await ana.read(getConsents)).marketing?.text).toBe('Paper form')
  expect((await previews(dora, OFFER)).recipients).toBe(1)
})
