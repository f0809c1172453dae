import { expect, test } from 'vitest'
import { getQuestionnaire } from '../../health/contract.ts'
import { closeComplaint, deleteUser, exportOwnData, openComplaint } from '../../privacy/contract.ts'
import { openStudio } from '../../testing/studio-under-test.ts'
import { agrees, previews, sends, sentOf, subjectsTo, subscribes, words } from './mailings-under-test.ts'

const OFFER = { audience: 'members', kind: 'marketing' }
const ONE_CLICK = { 'content-type': 'application/x-www-form-urlencoded' }

async function withOffer() {
  const story = await openStudio()
  const { studio, ana, dora } = story
  await agrees(ana)
  await sends(dora, OFFER)
  const link = (await studio.mailTo(ana)).at(-1)?.unsubscribe?.replace(/^https?:\/\/[^/]+/, '') ?? ''
  return { ...story, link }
}

test('a member unsubscribes without logging in: the link only asks, one POST ends news and offers, and what is booked is told on', async () => {
  const { studio, ana, dora, link } = await withOffer()
  const visitor = studio.visitor()
  expect((await visitor.request('GET', link)).body).toContain('No more news and offers?')
  expect((await previews(dora, OFFER)).recipients).toBe(1)
  for (const _ of ['once', 'twice']) {
    const left = await visitor.request('POST', link, 'List-Unsubscribe=One-Click', ONE_CLICK)
    expect([left.status, left.body]).toEqual([200, expect.stringContaining('No more news and offers.')])
  }
  expect((await previews(dora, OFFER)).leftOut).toMatchObject([
    { reason: 'objected', people: [{ userId: ana.id }] },
    { reason: 'not_opted_in', count: 1 },
  ])
  expect((await sends(dora, { audience: 'members' })).body.recipients).toBe(2)
  // The form shows the yes as taken back, so that saving it again is no new one; a new one counts.
  expect((await ana.call(getQuestionnaire)).body.marketingConsent).toBe(false)
  expect((await ana.reads(exportOwnData)).marketingObjectedAt).toBe('2026-12-07T09:00:00Z')
  studio.itIs('Monday 09:01')
  await agrees(ana, false)
  expect((await previews(dora, OFFER)).recipients).toBe(0)
  await agrees(ana)
  expect((await previews(dora, OFFER)).recipients).toBe(1)
})

test('who leaves the newsletter wants no other news either, and the other way round', async () => {
  const { studio, ana, dora, link } = await withOffer()
  await subscribes(studio, ana.email)
  await studio.visitor().request('POST', link, '', ONE_CLICK)
  expect(await studio.count('select count(*) from newsletter_subscribers')).toBe(0)
  studio.itIs('Monday 09:01')
  await agrees(ana)
  await subscribes(studio, ana.email.toUpperCase())
  await sends(dora, { audience: 'newsletter' })
  const letter = (await studio.mailTo({ email: ana.email.toUpperCase() })).at(-1)?.unsubscribe ?? ''
  studio.itIs('Monday 09:02')
  await studio.visitor().request('POST', letter.replace(/^https?:\/\/[^/]+/, ''), '', ONE_CLICK)
  expect((await previews(dora, OFFER)).recipients).toBe(0)
})

test('who says no while the message waits in the outbox does not get it', async () => {
  const { studio, ana, dora, link } = await withOffer()
  studio.itIs('Monday 09:05')
  await sends(dora, { ...OFFER, subject: 'Once more' })
  await studio.visitor().request('POST', link, '', ONE_CLICK)
  expect(await subjectsTo(studio, ana)).not.toContain('Once more')
  expect(await sentOf(dora)).toMatchObject({ subject: 'Once more', handedOver: 0, queued: 0, leftOut: 1 })
})

test('a link that nobody knows ends nothing and says so kindly', async () => {
  const { studio, dora } = await withOffer()
  for (const token of ['', 'x', '5d7c0c1e-0000-4000-8000-000000000001', "'; --"]) {
    const path = `/api/newsletter/unsubscribe?token=${encodeURIComponent(token)}`
    expect((await studio.visitor().request('GET', path)).body).toContain('You are unsubscribed')
    expect((await studio.visitor().request('POST', path, '', ONE_CLICK)).status).toBe(200)
  }
  expect((await previews(dora, OFFER)).recipients).toBe(1)
})

test('messages end after twelve months, to the second, but for who has an open complaint; erased members leave at once', async () => {
  const { studio, ana, dora } = await withOffer()
  const left = () => studio.count('select count(*) from studio_messages')
  const retention = () => studio.server.workers['apply-retention']({}, 'by hand')
  studio.itIs('2027-12-07 08:59:59')
  await retention()
  expect(await left()).toBe(1)
  await studio.logsIn(dora)
  await dora.call(openComplaint, { params: { id: ana.id }, body: { reason: 'x' } })
  studio.itIs('2027-12-07 09:00:00')
  await retention()
  expect(await left()).toBe(1)
  await dora.call(closeComplaint, { params: { id: ana.id } })
  await retention()
  expect(await left()).toBe(0)
})

test('an erased member leaves no objection and no line behind', async () => {
  const { studio, ana, dora, link } = await withOffer()
  await studio.visitor().request('POST', link, '', ONE_CLICK)
  await dora.call(deleteUser, { params: { id: ana.id } })
  expect(await studio.count('select count(*) from marketing_objections')).toBe(0)
  expect(await studio.count('select count(*) from message_recipients')).toBe(0)
  expect(words.subject).toBe((await sentOf(dora))?.subject)
})
