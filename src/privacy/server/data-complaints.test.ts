import { describe, expect, test } from 'vitest'
import { listAttention } from '#attention/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import { openEmptyStudio, openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { deleteOwnAccount, exportOwnData } from '../contract.ts'
import {
  answerDataComplaint,
  complaintRefusals,
  listDataComplaints,
  listOwnDataComplaints,
  MAX_OPEN_COMPLAINTS,
  makeDataComplaint,
} from '../contract-complaints.ts'
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

  test('lets members complain for themselves and admins read and answer; replies 404 for unknown complaints', async () => {
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
