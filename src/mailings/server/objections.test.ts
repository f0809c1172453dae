import { expect, test } from 'vitest'
import { getQuestionnaire } from '#health/contract.ts'
import { closeComplaint, deleteUser, exportOwnData, openComplaint } from '#privacy/contract.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { testMessage } from '../contract.ts'
import { agrees, previews, sendAs, sentOf, subjectsTo, subscribeReader, words } from './mailings-under-test.ts'

const OFFER = { audience: 'members', kind: 'marketing' }
const ONE_CLICK = { 'content-type': 'application/x-www-form-urlencoded' }

const pathOf = (link: string | undefined) => link?.replace(/^https?:\/\/[^/]+/, '') ?? ''

async function withOffer() {
  const story = await openStudio()
  const { studio, ana, dora } = story
  await agrees(ana)
  await sendAs(dora, OFFER)
  const link = pathOf((await studio.mailTo(ana)).at(-1)?.unsubscribe)
  return { ...story, link }
}

test('unsubscribes a member without login: the page asks first, one POST stops news and offers, service emails continue', async () => {
  const { studio, ana, dora, link } = await withOffer()
  const visitor = studio.visitor()
  expect((await visitor.request('GET', link)).body).toContain('No more news and offers?')
  expect((await previews(dora, OFFER)).recipients).toBe(1)
  for (const _ of ['once', 'twice']) {
    const left = await visitor.request('POST', link, 'List-Unsubscribe=One-Click', ONE_CLICK)
    expect([left.status, left.body]).toEqual([
      200,
      expect.stringContaining('We will not send you any more news and offers.'),
    ])
  }
  expect((await previews(dora, OFFER)).leftOut).toMatchObject([
    { reason: 'objected', people: [{ userId: ana.id }] },
    { reason: 'not_opted_in', count: 1 },
  ])
  expect((await sendAs(dora, { audience: 'members' })).body.recipients).toBe(2)
  // The health form shows the consent as withdrawn, so saving it again does not renew it; ticking it does.
  expect((await ana.call(getQuestionnaire)).body.marketingConsent).toBe(false)
  expect((await ana.read(exportOwnData)).marketingObjectedAt).toBe('2026-12-07T09:00:00Z')
  studio.travelTo('Monday 09:01')
  await agrees(ana, false)
  expect((await previews(dora, OFFER)).recipients).toBe(0)
  await agrees(ana)
  expect((await previews(dora, OFFER)).recipients).toBe(1)
})

test('unsubscribing from the newsletter also stops news and offers, and vice versa', async () => {
  const { studio, ana, dora, link } = await withOffer()
  await subscribeReader(studio, ana.email)
  await studio.visitor().request('POST', link, '', ONE_CLICK)
  expect(await studio.count('select count(*) from newsletter_subscribers')).toBe(0)
  studio.travelTo('Monday 09:01')
  await agrees(ana)
  await subscribeReader(studio, ana.email.toUpperCase())
  await sendAs(dora, { audience: 'newsletter' })
  const letter = (await studio.mailTo({ email: ana.email.toUpperCase() })).at(-1)?.unsubscribe ?? ''
  studio.travelTo('Monday 09:02')
  await studio.visitor().request('POST', letter.replace(/^https?:\/\/[^/]+/, ''), '', ONE_CLICK)
  expect((await previews(dora, OFFER)).recipients).toBe(0)
})

test('does not send a queued message to a member who has objected since', async () => {
  const { studio, ana, dora, link } = await withOffer()
  studio.travelTo('Monday 09:05')
  await sendAs(dora, { ...OFFER, subject: 'Once more' })
  await studio.visitor().request('POST', link, '', ONE_CLICK)
  expect(await subjectsTo(studio, ana)).not.toContain('Once more')
  expect(await sentOf(dora)).toMatchObject({ subject: 'Once more', handedOver: 0, queued: 0, leftOut: 1 })
})

test('an unsubscribe link still works after its message has been erased', async () => {
  const { studio, ana, dora, link } = await withOffer()
  studio.travelTo('2027-12-07 09:00:00')
  await studio.server.workers['apply-retention']({}, 'by hand')
  expect(await studio.count('select count(*) from message_recipients')).toBe(0)
  const visitor = studio.visitor()
  expect((await visitor.request('GET', link)).body).toContain('No more news and offers?')
  const left = await visitor.request('POST', link, 'List-Unsubscribe=One-Click', ONE_CLICK)
  expect([left.status, left.body]).toEqual([
    200,
    expect.stringContaining('We will not send you any more news and offers.'),
  ])
  await studio.logIn(dora)
  expect((await previews(dora, OFFER)).leftOut).toMatchObject([
    { reason: 'objected', people: [{ userId: ana.id }] },
    { reason: 'not_opted_in' },
  ])
})

test('an old newsletter link still unsubscribes an address that has subscribed again', async () => {
  const { studio, dora } = await withOffer()
  const reader = { email: 'reader@people.example' }
  await subscribeReader(studio, reader.email)
  await sendAs(dora, { audience: 'newsletter' })
  const link = pathOf((await studio.mailTo(reader)).at(-1)?.unsubscribe)
  expect((await studio.visitor().request('GET', link)).body).toContain('Leave the newsletter?')
  for (const _ of ['once', 'after joining again']) {
    const left = await studio.visitor().request('POST', link, 'List-Unsubscribe=One-Click', ONE_CLICK)
    expect([left.status, left.body]).toEqual([200, expect.stringContaining('You are unsubscribed')])
    expect(await studio.count('select count(*) from newsletter_subscribers')).toBe(0)
    await subscribeReader(studio, reader.email.toUpperCase())
  }
})

test('an unknown link changes nothing and its page offers to email a new one', async () => {
  const { studio, ana, dora, link } = await withOffer()
  const [, person = '', signature = ''] = /token=([\w-]+)\.([\w-]+)/.exec(link) ?? []
  const boris = Buffer.from('member:2').toString('base64url')
  for (const token of ['', 'x', '5d7c0c1e-0000-4000-8000-000000000001', "'; --", person, `${boris}.${signature}`]) {
    const path = `/api/newsletter/unsubscribe?token=${encodeURIComponent(token)}`
    for (const method of ['GET', 'POST'] as const) {
      const page = await studio.visitor().request(method, path, method === 'POST' ? '' : undefined, ONE_CLICK)
      expect([page.status, page.body]).toEqual([404, expect.stringContaining('This link did not unsubscribe you')])
      expect(page.body).toContain('action="/api/newsletter/unsubscribe/form"')
    }
  }
  expect((await previews(dora, OFFER)).recipients).toBe(1)

  const form = '/api/newsletter/unsubscribe/form'
  const wrong = await studio.visitor().request('POST', form, 'email=nobody', ONE_CLICK)
  expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining(`action="${form}"`)])
  const sent = await studio.visitor().request('POST', form, `email=${ana.email.toUpperCase()}`, ONE_CLICK)
  const other = await studio.visitor().request('POST', form, 'email=nobody@people.example', ONE_CLICK)
  expect([sent.status, sent.body]).toEqual([200, other.body])
  // The address alone changes nothing, because anyone could type it.
  expect((await previews(dora, OFFER)).recipients).toBe(1)
  const mailed = pathOf((await studio.mailTo({ email: ana.email.toUpperCase() })).at(-1)?.unsubscribe)
  expect((await studio.visitor().request('POST', mailed, '', ONE_CLICK)).status).toBe(200)
  expect((await previews(dora, OFFER)).recipients).toBe(0)
})

test('the link in a test message does not unsubscribe anyone', async () => {
  const { studio, dora } = await withOffer()
  await dora.call(testMessage, { body: { ...words, ...OFFER } })
  const link = pathOf((await studio.mailTo(dora)).at(-1)?.unsubscribe)
  expect((await studio.visitor().request('POST', link, '', ONE_CLICK)).body).toContain('This was a test')
})

test('erases messages after twelve months, to the second, except of members with an open complaint', async () => {
  const { studio, ana, dora } = await withOffer()
  const left = () => studio.count('select count(*) from studio_messages')
  const retention = () => studio.server.workers['apply-retention']({}, 'by hand')
  studio.travelTo('2027-12-07 08:59:59')
  await retention()
  expect(await left()).toBe(1)
  await studio.logIn(dora)
  await dora.call(openComplaint, { params: { id: ana.id }, body: { reason: 'x' } })
  studio.travelTo('2027-12-07 09:00:00')
  await retention()
  expect(await left()).toBe(1)
  await dora.call(closeComplaint, { params: { id: ana.id } })
  await retention()
  expect(await left()).toBe(0)
})

test('erasing a member also erases their objection and outcomes', async () => {
  const { studio, ana, dora, link } = await withOffer()
  await studio.visitor().request('POST', link, '', ONE_CLICK)
  await dora.call(deleteUser, { params: { id: ana.id } })
  expect(await studio.count('select count(*) from marketing_objections')).toBe(0)
  expect(await studio.count('select count(*) from message_recipients')).toBe(0)
  expect(words.subject).toBe((await sentOf(dora))?.subject)
})
