import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { chooseTexts, editProfile, getTextChoice } from '#accounts/contract-profile.ts'
import { listAttention } from '#attention/contract.ts'
import { editStudio, readOwnStudio } from '#facts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { deleteOwnAccount, exportOwnData } from '#privacy/contract.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { getTextUse, TEXT_RECEIPTS } from '../contract-texts.ts'
import { mobileOf } from './send-texts.ts'
import { forgetQueuedTexts } from './texts.ts'
import { signatureOf, twilio } from './twilio.ts'

async function openTextedStudio() {
  const story = await openStudio()
  story.studio.server.textSandbox?.forget()
  return story
}

const number = (person: Person, phone: string) =>
  person.call(editProfile, { body: { firstName: person.name, lastName: 'Cast', phone } })

/** Ana has a place in a class; the owner moves it by an hour. */
async function moveHer(studio: StudioUnderTest, ana: Person, dora: Person, at = 'Tuesday 18:00', to = '19:00') {
  const id = await studio.createClass(at)
  await ana.book(id)
  const [hours = 0, minutes = 0] = to.split(':').map(Number)
  const endTime = `${String(hours + 1).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  expect((await dora.call(editClass, { params: { id }, body: { startTime: to, endTime } })).status).toBe(200)
  return id
}

const sent = (studio: StudioUnderTest) => studio.server.textSandbox?.sent.map(({ to, body }) => `${to} ${body}`) ?? []
async function send(studio: StudioUnderTest) {
  await studio.server.workers['send-texts']({}, 'a-job')
  await studio.server.textSandbox?.settle()
}
const states = async (studio: StudioUnderTest) => {
  const { rows } = await studio.server.database.pool.query<{ state: string }>('select state from texts order by id')
  return rows.map(({ state }) => state)
}
const itemsOf = async (dora: Person) =>
  (await dora.read(listAttention)).filter(({ kind }) => kind.startsWith('text')).map(({ title }) => title)

test('texts a member once about a class moved within 48 hours, and says what it cost', async () => {
  const { studio, ana, dora } = await openTextedStudio()
  await number(ana, '07700 900123')
  await moveHer(studio, ana, dora)
  await send(studio)
  await send(studio)
  expect(sent(studio)).toEqual([
    expect.stringMatching(/^\+447700900123 Aldergate Pilates: Reformer on .*8 December, 18:00 moves to .*19:00\./),
  ])
  expect(await states(studio)).toEqual(['delivered'])
  expect(await dora.read(getTextUse)).toEqual({
    isOn: true,
    sent: 1,
    cost: '0.0412',
    currency: 'GBP',
    monthlyLimit: 200,
  })
  expect((await ana.read(exportOwnData)).texts).toMatchObject([{ phone: '+447700900123', state: 'delivered' }])
  await ana.call(deleteOwnAccount)
  expect(await states(studio)).toEqual([])
})

test('texts about a cancelled class once it cannot be undone; not later ones, nor members who switched texts off', async () => {
  const { studio, ana, boris, dora } = await openTextedStudio()
  await number(ana, '+44 (0)7700 900123')
  const soon = await studio.createClass('Tuesday 18:00')
  const later = await studio.createClass('Thursday 18:00')
  await ana.book(soon)
  await ana.book(later)
  for (const id of [soon, later]) await dora.call(deleteClass, { params: { id }, body: { applyToRecurring: false } })
  await send(studio)
  expect(sent(studio)).toEqual([])
  await studio.mailbox()
  studio.travelTo('Monday 09:02')
  await send(studio)
  expect(sent(studio)).toEqual([expect.stringMatching(/Reformer on .*8 December, 18:00 is cancelled/)])

  expect(await ana.read(getTextChoice)).toEqual({ wanted: true })
  await ana.call(chooseTexts, { body: { wanted: false } })
  expect(await boris.read(getTextChoice)).toEqual({ wanted: true })
  await moveHer(studio, ana, dora, 'Tuesday 12:00', '13:00')
  await send(studio)
  expect(sent(studio)).toHaveLength(1)
})

describe('a text is sent at most once', () => {
  test.each([
    ['400', 'failed', /Invalid 'To' Phone Number: the number/],
    ['500', 'unknown', /status 500/],
    ['503', 'unknown', /status 503/],
    ['303', 'failed', /did not deliver it \(30003\)/],
  ])(
    'when the provider answers %s it is %s, not repeated, and under Needs attention',
    async (ending, state, reason) => {
      const { studio, ana, dora } = await openTextedStudio()
      await number(ana, `07700 900${ending}`)
      await moveHer(studio, ana, dora)
      await send(studio)
      const taken = sent(studio).length
      await send(studio)
      expect(sent(studio)).toHaveLength(taken)
      expect(await states(studio)).toEqual([state])
      const [item] = (await dora.read(listAttention)).filter(({ kind }) => kind === 'text_failed')
      expect(item?.title).toMatch(/^A text to Ana Cast (did not|may not have) arrive/)
      expect(item?.text).toMatch(reason)
    },
  )

  test('waits and tries again when the provider has too many requests', async () => {
    const { studio, ana, dora } = await openTextedStudio()
    await number(ana, '07700 900429')
    await moveHer(studio, ana, dora)
    await send(studio)
    expect(await states(studio)).toEqual(['queued'])
    await number(ana, '07700 900123')
    studio.travelTo('Monday 09:02')
    await send(studio)
    expect(await states(studio)).toEqual(['delivered'])
  })

  test('when the provider takes the request and does not respond, or closes the connection', async () => {
    const requests: string[] = []
    const provider = createServer((request) => {
      requests.push(request.url ?? '')
      if (request.url?.includes('ACclosed')) request.socket.destroy()
    }).listen(0)
    await once(provider, 'listening')
    const apiUrl = () => `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    for (const accountSid of ['ACsilent', 'ACclosed']) {
      const texter = twilio({ accountSid, authToken: 'token', from: 'Studio', apiUrl }, 1000)
      const text = { to: '+447700900123', body: 'Hello', receiptUrl: 'https://studio.example/receipts?id=1' }
      await expect(texter.send(text)).rejects.toMatchObject({ kind: 'lost', message: 'the provider did not respond' })
    }
    expect(requests).toHaveLength(2)
    provider.closeAllConnections()
    provider.close()
  })

  test('by the database, which keeps one text of an event and claims it before it is sent', async () => {
    const { studio, ana, dora } = await openTextedStudio()
    await number(ana, '07700 900123')
    await moveHer(studio, ana, dora)
    const { pool } = studio.server.database
    const copy = `insert into texts (user_id, kind, topic, event, alert, body, send_after, useless_after, created_at)
      select user_id, kind, topic, event, alert, body, send_after, useless_after, created_at from texts`
    await expect(pool.query(copy)).rejects.toMatchObject({ constraint: 'a_text_is_written_once' })
    const unclaimed = pool.query(`update texts set state = 'sent'`)
    await expect(unclaimed).rejects.toMatchObject({ constraint: 'a_text_is_claimed_before_it_is_sent' })
  })

  test('when a process died after it claimed the text', async () => {
    const { studio, ana, dora } = await openTextedStudio()
    await number(ana, '07700 900123')
    await moveHer(studio, ana, dora)
    await studio.server.database.pool.query(
      `update texts set state = 'sending', phone = '+447700900123', claimed_at = $1`,
      [studio.clock.now().toString()],
    )
    await send(studio)
    expect(await states(studio)).toEqual(['sending'])
    studio.travelTo('Monday 09:06')
    await send(studio)
    expect(sent(studio)).toEqual([])
    expect(await states(studio)).toEqual(['unknown'])
    expect(await itemsOf(dora)).toEqual(['A text to Ana Cast may not have arrived'])
  })

  test('by two processes, which also keep to the month’s limit', async () => {
    const { studio, ana, boris, dora } = await openTextedStudio()
    await studio.completeHealth(boris)
    await studio.grantCredits(boris, 3)
    await number(ana, '07700 900123')
    await number(boris, '07700 900124')
    const { version } = await dora.read(readOwnStudio)
    await dora.call(editStudio, { body: { texts: { monthlyLimit: 2 }, ifVersion: version } })
    for (const at of ['Tuesday 10:00', 'Tuesday 12:00']) {
      const id = await studio.createClass(at)
      await ana.book(id)
      await boris.book(id)
      const startTime = at.replace('Tuesday ', '').replace(':00', ':30')
      await dora.call(editClass, { params: { id }, body: { startTime, endTime: startTime.replace(':30', ':59') } })
    }
    const second = await studio.startSecondProcess()
    await Promise.all(
      [studio.server, second.server].flatMap(({ workers }) => [1, 2].map(() => workers['send-texts']({}, 'a-job'))),
    )
    const all = [...sent(studio), ...(second.server.textSandbox?.sent ?? [])]
    expect(all).toHaveLength(2)
    expect((await states(studio)).filter((state) => state === 'over_limit')).toHaveLength(2)
    expect(await itemsOf(dora)).toEqual(['2 texts not sent: this month’s limit has been reached'])
  })
})

test('leaves out what waited when a backup was restored, and deletes texts with other records', async () => {
  const { studio, ana, dora } = await openTextedStudio()
  await number(ana, '07700 900123')
  await moveHer(studio, ana, dora)
  await studio.server.database.transaction(forgetQueuedTexts)
  await send(studio)
  expect({ states: await states(studio), sent: sent(studio) }).toEqual({ states: ['left_out'], sent: [] })

  // 12 months after Monday 7 December 2026
  studio.travelTo('2027-12-06 09:00')
  await studio.server.workers['tidy-up']({}, 'a-job')
  expect(await states(studio)).toHaveLength(1)
  studio.travelTo('2027-12-08 09:00')
  await studio.server.workers['tidy-up']({}, 'a-job')
  expect(await states(studio)).toEqual([])
})

test('refuses receipts that are not signed, and keeps the final state of signed ones', async () => {
  const { studio, ana, dora } = await openTextedStudio()
  await number(ana, '07700 900123')
  await moveHer(studio, ana, dora)
  await studio.server.database.pool.query(
    `update texts set state = 'unknown', phone = '+447700900123', claimed_at = now()`,
  )
  const id = await studio.count('select id from texts')
  const receive = (status: string, token = 'sandbox') => {
    const params = { MessageSid: 'SM1', MessageStatus: status }
    const url = `${studio.settings.appUrl}${TEXT_RECEIPTS}?id=${id}`
    return fetch(`${studio.server.origin}${TEXT_RECEIPTS}?id=${id}`, {
      method: 'POST',
      headers: { 'x-twilio-signature': signatureOf(token, url, params) },
      body: new URLSearchParams(params),
    })
  }
  const forged = await receive('delivered', 'guessed')
  expect({ status: forged.status, body: await forged.json() }).toBeRefused(commonRefusals.forbidden)
  expect(await states(studio)).toEqual(['unknown'])
  expect((await receive('delivered')).status).toBe(204)
  expect((await receive('sent')).status).toBe(204)
  expect(await states(studio)).toEqual(['delivered'])
})

test('the signature is Twilio’s', () => {
  // https://www.twilio.com/docs/usage/security
  const params = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675310',
    Digits: '1234',
    From: '+14158675310',
    To: '+18005551212',
  }
  expect(signatureOf('12345', 'https://example.com/myapp.php?foo=1&bar=2', params)).toBe('L/OH5YylLD5NRKLltdqwSvS0BnU=')
})

test.each([
  ['07700 900123', '+447700900123'],
  ['+44 (0)7700 900-123', '+447700900123'],
  ['0044 7700 900123', '+447700900123'],
  ['01423 960147', undefined],
  ['07012 345678', undefined],
  ['+33 6 12 34 56 78', undefined],
  ['nothing', undefined],
  [null, undefined],
])('texts %s as %s', (phone, mobile) => {
  expect(mobileOf(phone)).toBe(mobile)
})

describe('a text that waited for the morning is only sent if it is still true', () => {
  /** Ana has a place on Wednesday at 10:00, and it is night. */
  async function booked() {
    const story = await openStudio({ now: 'Monday 22:30' })
    story.studio.server.textSandbox?.forget()
    await number(story.ana, '07700 900123')
    const id = await story.studio.createClass('Wednesday 10:00')
    const { body } = await story.ana.book(id)
    const moveTo = async (startTime: string, endTime: string) =>
      expect((await story.dora.call(editClass, { params: { id }, body: { startTime, endTime } })).status).toBe(200)
    await moveTo('11:00', '11:45')
    story.studio.travelTo('Monday 22:40')
    return { ...story, id, bookingId: body.id, moveTo }
  }
  async function sentInTheMorning(studio: StudioUnderTest) {
    studio.travelTo('Tuesday 07:00')
    await send(studio)
    return sent(studio)
  }

  test('not once the member has cancelled', async () => {
    const { studio, ana, bookingId } = await booked()
    await ana.cancel(bookingId)
    expect(await sentInTheMorning(studio)).toEqual([])
    expect(await states(studio)).toEqual(['left_out'])
  })

  test('not once the class was cancelled', async () => {
    const { studio, dora, id } = await booked()
    await dora.call(deleteClass, { params: { id }, body: { applyToRecurring: false } })
    expect(await sentInTheMorning(studio)).toEqual([])
  })

  test('once, with the last time, when the class was moved again, and back', async () => {
    const { studio, moveTo } = await booked()
    await moveTo('12:00', '12:45')
    studio.travelTo('Monday 22:50')
    await moveTo('11:00', '11:45')
    expect(await sentInTheMorning(studio)).toEqual([expect.stringMatching(/12:00 moves to .*11:00/)])
    expect(await states(studio)).toEqual(['delivered'])
  })
})
