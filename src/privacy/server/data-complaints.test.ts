import { describe, expect, test } from 'vitest'
import { listAttention } from '#attention/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { saveQuestionnaire } from '#health/contract.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { deleteOwnAccount, exportOwnData } from '../contract.ts'
import {
  answerDataComplaint,
  complaintRefusals,
  listDataComplaints,
  listOutsideComplaints,
  listOwnDataComplaints,
  MAX_OPEN_COMPLAINTS,
  makeDataComplaint,
  makeOutsideComplaint,
  recordMemberComplaint,
  recordOutsideComplaint,
} from '../contract-complaints.ts'
import { withdrawHealthConsent } from '../contract-own.ts'
import { countUsers, runRetention } from './retention-under-test.ts'

const complaint = 'You wrote to my old address.\nThough I told you.'

test('acknowledges a complaint immediately, lists it with its dates, and emails the answer once', async () => {
  const { studio, ana, dora } = await openStudio()
  const made = await ana.call(makeDataComplaint, { body: { complaint } })
  expect(made).toMatchObject({ status: 201, body: { complaint, answerBy: '2027-01-06', answer: null } })
  const [received] = (await studio.mailTo(ana)).filter(({ subject }) => subject.includes('complaint'))
  expect(received?.subject).toBe('We have received your complaint about your data')
  expect(received?.text).toContain('Wednesday 6 January 2027')
  expect(received?.text).toContain('Though I told you.')

  const listComplaints = async () => (await dora.read(listAttention)).filter(({ kind }) => kind === 'data_complaint')
  expect(await listComplaints()).toMatchObject([{ title: 'A complaint about data by Ana Cast: 30 days left' }])
  // The list is emailed, so it must not contain the complaint's text.
  expect(JSON.stringify(await listComplaints())).not.toContain('old address')
  for (const [when, dueText] of [
    ['2027-01-05 23:59', '1 day left'],
    ['2027-01-06 00:00', 'due today'],
    ['2027-01-08 12:00', '2 days late'],
  ] as const) {
    studio.travelTo(when)
    await studio.logIn(dora)
    expect((await listComplaints())[0]?.title, when).toBe(`A complaint about data by Ana Cast: ${dueText}`)
  }

  const params = { id: made.body.id }
  const answers = await Promise.all(
    ['It is corrected.', 'It is gone.'].map((answer) => dora.call(answerDataComplaint, { params, body: { answer } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  expect(answers.find(({ status }) => status === 400)).toBeRefused(complaintRefusals.complaint_already_answered)
  expect(await listComplaints()).toEqual([])
  const mails = (await studio.mailTo(ana)).filter(({ subject }) => subject.startsWith('Our answer'))
  expect(mails).toHaveLength(1)
  await studio.logIn(ana)
  const [shown] = await ana.read(listOwnDataComplaints)
  expect(shown).toMatchObject({ answeredAt: '2027-01-08T12:00:00Z', answer: expect.stringMatching(/^It is/) })
  expect((await ana.read(exportOwnData)).dataComplaints).toEqual([shown])
  expect(
    await studio.count(`select count(*) from audit_log where action = 'complaint_answered' and subject_id = $1`, [
      ana.id,
    ]),
  ).toBe(1)
})

describe('permissions', () => {
  const story = shareStudio()

  test('lets members complain for themselves and admins read and answer; returns 404 for unknown complaints', async () => {
    const { studio, ana, boris, dora } = story
    const { body: made } = await ana.call(makeDataComplaint, { body: { complaint } })
    expect(await boris.read(listOwnDataComplaints)).toEqual([])
    const body = { answer: 'Mine' }
    const params = { id: made.id }
    expect(await boris.call(answerDataComplaint, { params, body })).toBeRefused(commonRefusals.forbidden)
    expect(await boris.call(listDataComplaints, { params: { id: ana.id } })).toBeRefused(commonRefusals.forbidden)
    expect(await studio.visitor().call(makeDataComplaint, { body: { complaint } })).toBeRefused(
      commonRefusals.unauthorized,
    )
    expect(await dora.call(answerDataComplaint, { params: { id: 999_999 }, body })).toBeRefused(
      complaintRefusals.complaint_not_found,
    )
    expect(await dora.read(listDataComplaints, { params: { id: ana.id } })).toMatchObject([{ complaint }])
  })

  test('limits open complaints; the same idempotency key creates one', async () => {
    const { boris } = story
    const path = '/api/user/data-complaints'
    const once = () => boris.request('POST', path, { complaint }, { 'idempotency-key': 'a-key' })
    expect((await Promise.all([once(), once()])).map(({ status }) => status)).toEqual([201, 201])
    for (let i = 1; i < MAX_OPEN_COMPLAINTS; i++)
      expect((await boris.call(makeDataComplaint, { body: { complaint } })).status).toBe(201)
    expect(await boris.call(makeDataComplaint, { body: { complaint } })).toBeRefused(
      complaintRefusals.too_many_complaints,
    )
    expect(await boris.read(listOwnDataComplaints)).toHaveLength(MAX_OPEN_COMPLAINTS)
  })
})

test('retention keeps the member’s data while a complaint is open; deleting the account deletes it', async () => {
  const studio = await openEmptyStudio()
  const [ana, dora] = [await studio.member('Ana'), await studio.admin('Dora')]
  const { body: made } = await ana.call(makeDataComplaint, { body: { complaint } })
  studio.travelTo('2031-01-01 12:00')
  await runRetention(studio)
  expect(await countUsers(studio, ana)).toBe(1)
  await studio.logIn(dora)
  await dora.call(answerDataComplaint, { params: { id: made.id }, body: { answer: 'Done' } })
  await runRetention(studio)
  expect(await countUsers(studio, ana)).toBe(0)
  const boris = await studio.member('Boris')
  await boris.call(makeDataComplaint, { body: { complaint } })
  await boris.call(deleteOwnAccount)
  expect(await studio.count('select count(*) from data_complaints')).toBe(0)
})

describe('people without an account', () => {
  const story = shareStudio()
  const olga = { name: 'Olga Post', email: 'olga@people.example', complaint: 'You have my number' }

  test('complains on the contact page: acknowledged without their words, answered by email, erased two years later', async () => {
    const studio = await openEmptyStudio()
    const dora = await studio.admin('Dora')
    expect((await studio.visitor().call(makeOutsideComplaint, { body: olga })).status).toBe(201)
    const mails = () => studio.mailTo({ email: olga.email })
    const [received] = await mails()
    expect(received?.text).toContain('by Wednesday 6 January 2027')
    expect(received?.text).not.toContain(olga.complaint)
    const [item] = (await dora.read(listAttention)).filter(({ kind }) => kind === 'data_complaint')
    expect(item).toMatchObject({
      title: 'A complaint about data by Olga Post: 30 days left',
      link: { path: '/admin?tab=Users&complaints=open' },
    })
    const [made] = await dora.read(listOutsideComplaints)
    expect(made).toMatchObject({ ...olga, channel: 'website', otherContact: null, answer: null })
    studio.travelTo('2031-01-01 12:00')
    await studio.logIn(dora)
    await runRetention(studio)
    await dora.call(answerDataComplaint, { params: { id: made?.id ?? 0 }, body: { answer: 'It is gone.' } })
    expect((await mails()).at(-1)?.text).toContain('It is gone.')
    studio.travelTo('2033-01-01 11:59')
    await runRetention(studio)
    expect(await studio.count('select count(*) from data_complaints')).toBe(1)
    studio.travelTo('2033-01-01 12:00')
    await runRetention(studio)
    expect(await studio.count('select count(*) from data_complaints')).toBe(0)
  })

  test('live: takes every complaint, confirms five an hour to one address, and leaves its sign-in emails alone', async () => {
    const { studio, ana } = await openStudio({ env: LIVE })
    const byAna = { ...olga, email: ana.email }
    const messages = []
    for (let n = 0; n < 6; n++)
      messages.push((await studio.visitor().call(makeOutsideComplaint, { body: byAna })).body.message)
    expect(messages.map((message) => /emailed you|won’t email/.exec(message)?.[0])).toEqual([
      ...Array(5).fill('emailed you'),
      'won’t email',
    ])
    expect(await studio.count('select count(*) from data_complaints')).toBe(6)
    const queued = (name: string) =>
      studio.count("select count(*) from pgboss.job where name = 'mail' and data ->> 'mail' = $1", [name])
    expect(await queued('complaint-received')).toBe(5)
    await studio.visitor().request('POST', '/api/password-reset', { email: ana.email })
    await studio.runQueue('mail-link')
    expect(await queued('set-password')).toBe(1)
  })

  test('records what came by phone or letter from the day it came, for members and others', async () => {
    const { studio, ana, boris, dora } = story
    const received = { channel: 'letter' as const, receivedOn: '2026-12-01', complaint: 'Delete my number' }
    const ofAna = await dora.call(recordMemberComplaint, { params: { id: ana.id }, body: received })
    expect(ofAna.body).toMatchObject({ channel: 'letter', answerBy: '2026-12-31' })
    expect((await studio.mailTo(ana)).at(-1)?.subject).toBe('We have received your complaint about your data')
    expect((await ana.read(listOwnDataComplaints))[0]).toMatchObject({ id: ofAna.body.id })
    const byPhone = { ...received, name: 'Olga', email: '', otherContact: '01632 960123' }
    const { body } = await dora.call(recordOutsideComplaint, { body: byPhone })
    expect(body).toMatchObject({ email: null, otherContact: '01632 960123', answerBy: '2026-12-31' })
    const params = { id: body.id }
    expect((await dora.call(answerDataComplaint, { params, body: { answer: 'Read to her' } })).status).toBe(200)
    expect((await dora.call(recordOutsideComplaint, { body: { ...byPhone, otherContact: '' } })).body).toMatchObject({
      errors: [{ path: 'otherContact' }],
    })
    const tomorrow = { ...byPhone, receivedOn: '2026-12-08' }
    expect(await dora.call(recordOutsideComplaint, { body: tomorrow })).toBeRefused(
      complaintRefusals.complaint_not_received_yet,
    )
    expect(await boris.call(recordOutsideComplaint, { body: byPhone })).toBeRefused(commonRefusals.forbidden)
  })

  test('the database refuses a complaint without exactly one person who can be answered', async () => {
    const { studio, ana } = story
    const insert = (columns: string, values: string) =>
      studio.count(`with made as (insert into data_complaints (complaint, made_at, ${columns})
        values ('x', now(), ${values}) returning 1) select count(*) from made`)
    await expect(insert('name', `'Olga'`)).rejects.toThrow('a_complaint_is_of_a_person')
    await expect(insert('name, email, user_id', `'Olga', 'o@x.example', '${ana.id}'`)).rejects.toThrow(
      'a_complaint_is_of_a_person',
    )
    await expect(insert('user_id, channel', `'${ana.id}', 'pigeon'`)).rejects.toThrow('known_channel')
  })
})

test('the answers to requests for rights name the ways to complain', async () => {
  const { studio, ana } = await openStudio()
  const expectRoute = async (subject: string) => {
    const text = (await studio.mailTo(ana)).find((mail) => mail.subject.startsWith(subject))?.text.replace(/\s+/g, ' ')
    expect(text, subject).toContain('answer within 30 days')
    expect(text, subject).toContain('ico.org.uk/make-a-complaint')
  }
  await ana.read(exportOwnData)
  await expectRoute('You have downloaded your data')
  await ana.call(saveQuestionnaire, { body: {} })
  await ana.call(withdrawHealthConsent)
  await expectRoute('Your health information is erased')
  await ana.call(deleteOwnAccount)
  await expectRoute('Your account is deleted')
})
