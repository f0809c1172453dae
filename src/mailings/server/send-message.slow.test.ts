import { describe, expect, test } from 'vitest'
import { blockMember } from '#booking/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { deleteUser, exportOwnData } from '#privacy/contract.ts'
import { timetableRefusals } from '#timetable/contract.ts'
import * as contract from '../contract.ts'
import { studioMessages } from '../tables.ts'
import {
  agrees,
  previews,
  sendAs,
  sentOf,
  subjectsTo,
  subscribeReader,
  tomorrow,
  words,
} from './mailings-under-test.ts'
import { objectByAddress } from './objections.ts'

const idsOf = (people: { userId: string | null }[]) => people.map(({ userId }) => userId)

test('sends a class’s members one email each, with placeholders filled in', async () => {
  const { studio, ana, boris, carl, dora, early } = await tomorrow()
  const answer = await sendAs(dora, {
    audience: { classId: early },
    subject: 'Late for {classTitle}',
    text: 'Hello {firstName},\n\n{classTime}: ten minutes later.\nhttps://studio.example/contact',
  })
  expect(answer).toMatchObject({
    status: 202,
    body: { id: 1, kind: 'service', recipients: 1, queued: 1, audience: 'Reformer Duo, Tuesday 8 December at 09:30' },
  })
  const mail = (await studio.mailTo(ana)).at(-1)
  expect(mail?.subject).toBe('Late for Reformer Duo')
  expect(mail?.text).toContain('Hello Ana,\n\nTuesday 8 December at 09:30: ten minutes later.\nhttps://studio.example')
  expect(mail?.html).toContain('href="https://studio.example/contact"')
  expect(mail?.unsubscribe).toBeUndefined()
  for (const other of [boris, carl, dora])
    expect(await subjectsTo(studio, other)).not.toContain('Late for Reformer Duo')
})

test('sends one email to a member with two bookings on the days, none for cancelled bookings', async () => {
  const { studio, ana, boris, carl, dora, early, day } = await tomorrow()
  await studio.grantCredits(carl, 1)
  await studio.completeHealth(carl)
  const { body: booking } = await carl.book(early)
  await carl.cancel(booking.id)
  const preview = await previews(dora, { audience: day, text: '{classTitle}, {classTime}' })
  expect(preview).toMatchObject({
    audience: 'Booked on Tuesday 8 December',
    recipients: 2,
    leftOut: [],
    sample: {
      to: ana.email,
      text: 'Reformer Duo and Stretch, Tuesday 8 December at 09:30 and Tuesday 8 December at 18:00',
    },
  })
  expect(idsOf(preview.people)).toEqual([ana.id, boris.id])
  expect((await sendAs(dora, { audience: day })).body.recipients).toBe(2)
  expect((await subjectsTo(studio, ana)).filter((subject) => subject === words.subject)).toHaveLength(1)
  expect(await subjectsTo(studio, carl)).not.toContain(words.subject)
  expect(await sentOf(dora)).toMatchObject({ recipients: 2, handedOver: 2, queued: 0, failed: 0, sentBy: 'Dora Cast' })
})

test('leaves blocked members out of news and offers, the newsletter included, but not out of service messages', async () => {
  const { studio, ana, boris, dora, day } = await tomorrow()
  await agrees(ana)
  await agrees(boris)
  await subscribeReader(studio, boris.email)
  await sendAs(dora, { audience: 'members', kind: 'marketing', subject: 'Sent before' })
  await dora.call(blockMember, { params: { id: boris.id }, body: { reason: 'Did not come five times' } })
  const preview = await previews(dora, { audience: 'members', kind: 'marketing' })
  expect(idsOf(preview.people)).toEqual([ana.id])
  expect(preview.leftOut).toContainEqual(expect.objectContaining({ reason: 'blocked', count: 1 }))
  expect((await previews(dora, { audience: 'newsletter' })).people).toMatchObject([{ userId: ana.id }])
  expect((await sendAs(dora, { audience: day })).body.recipients).toBe(2)
  expect(await subjectsTo(studio, boris)).not.toContain('Sent before')
  expect(await subjectsTo(studio, ana)).toContain('Sent before')
})

test('previews addresses and phone numbers of recipients, never an emergency contact’s', async () => {
  const { studio, ana, boris, dora, day } = await tomorrow()
  await studio.server.database.pool.query("update users set phone = '01632 960111' where id = $1", [ana.id])
  const { people } = await previews(dora, { audience: day })
  expect(people.map(({ email, phone }) => [email, phone])).toEqual([
    [ana.email, '01632 960111'],
    [boris.email, null],
  ])
})

test('sends news and offers only to members who agreed, with a link to unsubscribe; the preview lists who is left out', async () => {
  const { studio, ana, boris, carl, dora } = await tomorrow()
  await agrees(ana)
  await agrees(boris, false)
  const preview = await previews(dora, { audience: 'members', kind: 'marketing' })
  expect(idsOf(preview.people)).toEqual([ana.id])
  expect(preview.leftOut).toMatchObject([{ reason: 'not_opted_in', count: 2 }])
  expect(idsOf(preview.leftOut[0]?.people ?? [])).toEqual([boris.id, carl.id])
  expect(await subjectsTo(studio, ana)).not.toContain(words.subject)
  expect((await sendAs(dora, { audience: 'members', kind: 'marketing' })).body.recipients).toBe(1)
  const mail = (await studio.mailTo(ana)).at(-1)
  expect(mail?.unsubscribe).toMatch(/\/api\/newsletter\/unsubscribe\?token=[\w-]+\.[\w-]+$/)
  expect(mail?.text).toContain('agreed to news and offers')
  expect(await subjectsTo(studio, boris)).not.toContain(words.subject)
  // Service messages need no consent. Admins are not in the audience.
  expect((await sendAs(dora, { audience: 'members' })).body).toMatchObject({ recipients: 3, kind: 'service' })
})

test('sends the newsletter as marketing to its subscribers, each with their own unsubscribe link', async () => {
  const { studio, ana, dora } = await tomorrow()
  await subscribeReader(studio, ana.email.toUpperCase())
  await subscribeReader(studio, 'reader@people.example')
  expect((await sendAs(dora, { audience: 'newsletter' })).body).toMatchObject({ recipients: 2, kind: 'marketing' })
  const reader = (await studio.mailTo({ email: 'reader@people.example' })).at(-1)
  expect(reader?.unsubscribe).toMatch(/\/api\/newsletter\/unsubscribe\?token=[\w-]+\.[\w-]+$/)
  expect(reader?.text).toContain('Hello there,')
  expect((await studio.mailTo({ email: ana.email.toUpperCase() })).at(-1)?.text).toContain('Hello Ana,')
  const refused = await sendAs(dora, { audience: 'newsletter', kind: 'service' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'kind' }] } })
})

test('the newsletter reaches subscribers and members who agreed, each once, and names both sources', async () => {
  const { studio, ana, boris, dora } = await tomorrow()
  await subscribeReader(studio, ana.email)
  await subscribeReader(studio, 'reader@people.example')
  await agrees(ana)
  await agrees(boris)
  const preview = await previews(dora, { audience: 'newsletter' })
  expect(preview).toMatchObject({ audience: 'Newsletter: 2 signed up on the site, 1 member agreed', recipients: 3 })
  expect((await sendAs(dora, { audience: 'newsletter' })).body.recipients).toBe(3)
  await studio.server.database.transaction((tx) => objectByAddress(tx, boris.email, studio.clock.now()))
  expect((await previews(dora, { audience: 'newsletter' })).recipients).toBe(2)
})

describe('refuses and sends nothing', () => {
  test('for a member, for an unknown class, and without recipients', async () => {
    const { studio, ana, dora } = await tomorrow()
    const empty = await studio.createClass('Friday 10:00')
    expect(await sendAs(ana, { audience: 'members' })).toBeRefused(commonRefusals.forbidden)
    expect(await sendAs(studio.visitor(), { audience: 'members' })).toBeRefused(commonRefusals.unauthorized)
    expect(await sendAs(dora, { audience: { classId: 4711 } })).toBeRefused(timetableRefusals.class_not_found)
    expect(await sendAs(dora, { audience: { classId: empty } })).toBeRefused(contract.mailingRefusals.no_recipients)
    const unknown = await sendAs(dora, { audience: { userIds: ['nobody'] } })
    expect(unknown).toBeRefused(contract.mailingRefusals.no_recipients)
    expect(await dora.call(contract.getMessage, { params: { id: 1 } })).toBeRefused(
      contract.mailingRefusals.message_not_found,
    )
    expect(await studio.count('select count(*) from studio_messages')).toBe(0)
  })

  test.for([
    [{ audience: 'everybody' }, 'audience'],
    [{ audience: { from: '2026-12-09', to: '2026-12-08' } }, 'audience.to'],
    [{ audience: { from: '2026-01-01', to: '2027-01-02' } }, 'audience.to'],
    [{ audience: 'members', kind: 'spam' }, 'kind'],
    [{ audience: 'members', subject: '  ' }, 'subject'],
    [{ audience: 'members', subject: 'x'.repeat(201) }, 'subject'],
    [{ audience: 'members', text: '' }, 'text'],
    [{ audience: 'members', text: 'x'.repeat(5001) }, 'text'],
    [{ audience: 'members', text: 'Hello {fristName}' }, 'text'],
    [{ audience: 'members', subject: '{classTitle}' }, 'subject'],
  ] as const)('%j: %s', async ([body, path]) => {
    const { dora } = await tomorrow()
    const answer = await sendAs(dora, body)
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ path, message: expect.stringMatching(/^[A-Z“]/) }] },
    })
  })
})

test('sends once for the same key; the audit log has the sender and the number of recipients', async () => {
  const { studio, ana, dora, day } = await tomorrow()
  const send = () =>
    dora.request('POST', '/api/admin/messages', { ...words, audience: day }, { 'idempotency-key': 'k' })
  const answers = await Promise.all([send(), send()])
  // The send that loses the race uses up a number, so the id is 1 or 2.
  const [id] = (await studio.db.select().from(studioMessages)).map((message) => message.id)
  expect(answers.map(({ status, body }) => [status, body.id])).toEqual([
    [202, id],
    [202, id],
  ])
  expect((await subjectsTo(studio, ana)).filter((subject) => subject === words.subject)).toHaveLength(1)
  const { body: lines } = await dora.request('GET', `/api/admin/audit?subject=message:${id}`)
  expect(lines).toMatchObject([
    { action: 'sent', changes: { recipients: { after: 2 }, audience: { after: 'Booked on Tuesday 8 December' } } },
  ])
})

test('sends a test to the admin, as the first recipient would get it, with a link that changes nothing', async () => {
  const { studio, ana, dora, day } = await tomorrow()
  await agrees(ana)
  const body = { ...words, audience: day, kind: 'marketing', text: 'Hello {firstName}: {classTitle}' }
  expect((await dora.call(contract.testMessage, { body })).body.message).toContain(dora.email)
  const mail = (await studio.mailTo(dora)).at(-1)
  expect([mail?.subject, mail?.text]).toEqual(['Test: A word', expect.stringContaining('Hello Ana: Reformer Duo')])
  const path = mail?.unsubscribe?.replace(/^https?:\/\/[^/]+/, '') ?? ''
  expect((await dora.request('GET', path)).body).toContain('This was a test')
  expect(await sentOf(dora)).toBeUndefined()
  expect(await subjectsTo(studio, ana)).not.toContain(words.subject)
})

test('exports a member’s messages; an erased member gets no more', async () => {
  const { studio, ana, boris, dora, day } = await tomorrow()
  await sendAs(dora, { audience: day })
  expect((await ana.read(exportOwnData)).messages).toMatchObject([{ ...words, kind: 'service', status: 'queued' }])
  await dora.call(deleteUser, { params: { id: boris.id } })
  expect(await subjectsTo(studio, boris)).not.toContain(words.subject)
  expect(await studio.count('select count(*) from message_recipients')).toBe(1)
  expect(await sentOf(dora)).toMatchObject({ recipients: 2, handedOver: 1, queued: 0, leftOut: 0 })
})

test('leaves out a member who is being erased', async () => {
  const { studio, boris, dora } = await tomorrow()
  const erasing = await studio.server.database.pool.connect()
  await erasing.query('begin')
  await erasing.query('delete from users where id = $1', [boris.id])
  const sending = sendAs(dora, { audience: 'members' })
  const waiting = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await studio.count(waiting)) < 1);
  await erasing.query('commit')
  erasing.release()
  expect(await sending).toMatchObject({ status: 202, body: { recipients: 2 } })
})
