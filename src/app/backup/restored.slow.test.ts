import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editProfile } from '#accounts/contract-profile.ts'
import { setRegularBooking } from '#booking/contract-regular.ts'
import { joinWaitingList } from '#booking/contract-waiting.ts'
import { bookForAllRegulars, emailRegulars, remindMembers } from '#booking/server/booking.ts'
import { editStudio } from '#facts/contract.ts'
import { openStudioWithBank, startPayment } from '#payments/server/bank-under-test.ts'
import { fetchFile, jpeg, upload } from '#pictures/server/pictures-under-test.ts'
import { openDatabase } from '#platform/database/database.ts'
import { deleteOwnAccount } from '#privacy/contract.ts'
import { eraseMember } from '#privacy/server/delete-user.ts'
import { deleteClass, editClass } from '#schedule/contract.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { journalFile, readJournal, updateJournal } from './journal.ts'
import { ask, backUp, openEmptyPlace, openFolder, openSiteOn, restore } from './places-under-test.ts'
import { settleOffline } from './settle-restored.ts'

type Job = { id: string; mail: string }
const readMailbox = (url: string, where: string) =>
  ask<Job>(
    url,
    `select id, data ->> 'mail' as mail from pgboss.job where name = 'mail' and ${where} order by created_on`,
  )
const subjectsTo = async (studio: StudioUnderTest, email: string) =>
  (await studio.mailTo({ email })).map(({ subject }) => subject)

test('sends emails that waited in the backup once, under their ids; sent ones and links are not in it', async () => {
  const { studio, ana } = await openStudio()
  const url = studio.settings.databaseUrl as string
  const sent = await subjectsTo(studio, ana.email)
  expect(sent.length).toBeGreaterThan(0)
  await ana.book(await studio.createClass('Tuesday 18:00'))
  await ana.request('POST', '/api/password-reset', { email: ana.email })
  await studio.runQueue('mail-link')
  const waiting = await readMailbox(url, "state = 'created'")
  expect(waiting.map(({ mail }) => mail).sort()).toEqual(['booking-confirmed', 'set-password'])
  const { file } = await backUp(studio)

  const place = await openEmptyPlace()
  await restore(studio, file, place)
  await settleOffline(place, studio.clock.now())
  await settleOffline(place, studio.clock.now())
  const confirmed = waiting.filter(({ mail }) => mail === 'booking-confirmed')
  expect(await readMailbox(place, 'true')).toEqual(confirmed)

  // The replaced database knows which were sent since.
  await ask(place, "update pgboss.job set state = 'completed' where name = 'mail'")
  await restore(studio, file, place, { replace: true })
  await settleOffline(place, studio.clock.now())
  expect(await readMailbox(place, 'true')).toEqual([])
})

test('makes cancellations of the backup’s last minute final, without another email', async () => {
  const { studio, ana, dora } = await openStudio()
  const id = await studio.createClass('Tuesday 18:00')
  await ana.book(id)
  const own = (await ana.book(await studio.createClass('Wednesday 18:00'))).body.id
  await studio.mailbox()
  await ana.cancel(own)
  await dora.call(deleteClass, { params: { id } })
  const { file } = await backUp(studio)
  const place = await openEmptyPlace()
  await restore(studio, file, place)
  expect(await ask(place, 'select id from studio_cancellations')).toHaveLength(1)
  expect(await ask(place, 'select booking_id from undoable_cancellations')).toEqual([{ booking_id: own }])
  await settleOffline(place, studio.clock.now())
  expect(await ask(place, 'select id from studio_cancellations')).toEqual([])
  expect(await ask(place, 'select booking_id from undoable_cancellations')).toEqual([])
  expect(await readMailbox(place, 'true')).toEqual([])
  expect(await ask(place, 'select payment_status from bookings')).toEqual(Array(2).fill({ payment_status: 'refunded' }))
})

test('sends no second reminder where the replaced database knows the first', async () => {
  const { studio, ana } = await openStudio()
  await ana.book(await studio.createClass('Tuesday 18:00'))
  const place = await openEmptyPlace()
  const { file } = await backUp(studio)
  studio.travelTo('Monday 20:00')
  const reminders = async () => {
    const database = openDatabase(place, { connections: 1 })
    const reminded = await database.transaction((tx) => remindMembers(tx, studio.clock.now()))
    await database.close()
    return reminded
  }
  await restore(studio, file, place)
  expect(await reminders()).toBe(1)
  await restore(studio, file, place, { replace: true })
  expect(await reminders()).toBe(0)
})

test('books no date of a regular booking twice, and sends no second email about it that the replaced database knows', async () => {
  const { studio, ana } = await openStudio()
  const first = await studio.createClass('2026-12-11 08:00')
  await studio.createClass('2026-12-18 08:00')
  expect((await ana.call(setRegularBooking, { body: { classId: first } })).status).toBe(201)
  await studio.createClass('2026-12-25 08:00')
  // Booked at night, for the week ahead; the email waits for the morning.
  studio.travelTo('2026-12-19 00:20')
  await studio.server.workers['book-for-regulars']({}, 'by hand')
  const { file } = await backUp(studio)
  const place = await openEmptyPlace()
  const nightAndMorning = async () => {
    const sent: string[] = []
    const enqueue = async (_: unknown, queue: string, jobs: readonly unknown[]) => {
      if (queue === 'mail') sent.push(...jobs.map((job) => JSON.stringify(job)))
      return () => {}
    }
    const database = openDatabase(place, { connections: 2, enqueue })
    await bookForAllRegulars(database, studio.clock.now())
    await emailRegulars(database, studio.clock.now())
    await database.close()
    return sent
  }
  await restore(studio, file, place)
  expect(await nightAndMorning()).toEqual([expect.stringContaining('2026-12-25')])
  expect(await nightAndMorning()).toEqual([])
  await restore(studio, file, place, { replace: true })
  expect(await nightAndMorning()).toEqual([])
  expect(await ask(place, "select count(*)::int as booked from bookings where status = 'confirmed'")).toEqual([
    { booked: 3 },
  ])
})

test('checks a payment that was in progress and creates its pass', async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const bought = await studio.createPackage({ price: '45.00', classCount: 4 })
  const payment = await startPayment(ana, bought)
  const { file } = await backUp(studio)
  await bank.pay(payment)
  const place = await openEmptyPlace()
  await restore(studio, file, place)
  const there = await openSiteOn(place, studio)
  await there.server.workers['reconcile-payments']({}, 'by hand')
  expect(await ask(place, 'select credits_total from passes where purchase_id is not null')).toEqual([
    { credits_total: 4 },
  ])
})

test('restores the demo’s sandbox elsewhere, and leaves an existing one alone', async () => {
  const { studio, ana } = await openStudio()
  await startPayment(ana, await studio.createPackage({ price: '45.00' }))
  const { file } = await backUp(studio)
  const payments = (place: string) =>
    ask(place, "select id, object ->> 'status' as status from sandbox.objects order by seq")
  const known = await payments(studio.settings.databaseUrl as string)
  expect(known).toHaveLength(1)
  const place = await openEmptyPlace()
  await restore(studio, file, place, { isDemo: false, receiptsFrom: 1 })
  expect(await ask(place, "select to_regnamespace('sandbox') as sandbox")).toEqual([{ sandbox: null }])
  await restore(studio, file, place, { replace: true })
  expect(await payments(place)).toEqual(known)
  await ask(place, `update sandbox.objects set object = '{"object": "payment_intent", "status": "succeeded"}'`)
  await restore(studio, file, place, { replace: true })
  expect(await payments(place)).toMatchObject([{ status: 'succeeded' }])
})

test('erases members again who were erased since the backup, by the journal or the replaced database', async () => {
  const { studio, ana, boris } = await openStudio()
  const carl = await studio.member('Carl', { health: true, credits: 1 })
  const full = await studio.createClass({ at: 'Friday 10:00', places: 1 })
  await ana.book(full)
  await carl.call(joinWaitingList, { params: { id: full } })
  const { file } = await backUp(studio)
  const byJournal = await openEmptyPlace()
  const byReplacing = await openEmptyPlace()
  await restore(studio, file, byReplacing)
  expect((await ana.call(deleteOwnAccount)).status).toBe(200)
  await studio.runQueue('update-journal')
  const journal = await readJournal(journalFile(join(studio.settings.dataDir, 'backups')), { mustExist: true })
  expect(journal.erased).toContain(ana.id)
  expect(journal.erased).not.toContain(boris.id)
  await expect(ask(studio.settings.databaseUrl as string, 'delete from erasures')).rejects.toThrow('append-only')

  await restore(studio, file, byJournal, { journal })
  // The restore was interrupted after its commit: the site finishes it before it opens.
  const there = await openSiteOn(byJournal, studio)
  const known = (place: string) => ask<{ id: string }>(place, 'select id from users where id = $1', [ana.id])
  expect(await known(byJournal)).toEqual([])
  const carlThere = there.loggedInAs(carl)
  await studio.logIn(carlThere)
  expect((await carlThere.request('GET', '/api/bookings/upcoming')).body).toMatchObject([{ classId: full }])
  // She was emailed when it was done.
  expect(await readMailbox(byJournal, "data ->> 'mail' = 'account-erased'")).toEqual([])

  const database = openDatabase(byReplacing, { connections: 2 })
  await database.transaction((tx) => eraseMember(tx, ana.id, studio.clock.now()))
  await database.close()
  await restore(studio, file, byReplacing, { replace: true })
  expect(await known(byReplacing)).toHaveLength(1)
  expect(await settleOffline(byReplacing, studio.clock.now())).toBe(1)
  expect(await known(byReplacing)).toEqual([])
})

test('adds to the journal what it lacks, and ignores an incomplete line', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const file = journalFile(await openFolder())
  const others = async () =>
    (await readFile(file, 'utf8')).split('\n').filter((line) => line && !/^(rights|[+-](password|no_news)) /.test(line))
  await updateJournal(file, studio.db)
  expect(await readJournal(file)).toMatchObject({ erased: [], withdrawals: [] })
  expect(await others()).toEqual([`+admin ${dora.id}`])
  await ana.call(deleteOwnAccount)
  await updateJournal(file, studio.db)
  await appendFile(file, boris.id.slice(0, 9))
  await boris.call(deleteOwnAccount)
  await updateJournal(file, studio.db)
  await updateJournal(file, studio.db)
  expect((await readJournal(file)).erased).toEqual([ana.id, boris.id.slice(0, 9), boris.id])
  expect(await others()).toEqual([`+admin ${dora.id}`, ana.id, boris.id.slice(0, 9), boris.id])
  await expect(readJournal(`${file}.not`, { mustExist: true })).rejects.toThrow('cannot be read')
})

test('leaves stored responses of idempotency keys out of a backup', async () => {
  const { studio, dora } = await openStudio()
  const added = { firstName: 'Ida', lastName: 'Gone', email: 'ida@people.example' }
  await dora.request('POST', '/api/admin/users', added, { 'idempotency-key': 'once' })
  const { manifest } = await backUp(studio)
  expect(manifest.tables).toHaveProperty('users')
  expect(manifest.tables).not.toHaveProperty('idempotency_keys')
})

test('ends waiting lists and offers that expired since the backup, without an email', async () => {
  const { studio, ana } = await openStudio()
  const [boris, carl] = [
    await studio.member('Bo', { health: true, credits: 1 }),
    await studio.member('Carl', { health: true, credits: 1 }),
  ]
  const full = await studio.createClass({ at: 'Monday 18:00', places: 1 })
  const { body: booking } = await ana.book(full)
  for (const person of [boris, carl]) await person.call(joinWaitingList, { params: { id: full } })
  await ana.cancel(booking.id)
  await studio.endUndo()
  const url = studio.settings.databaseUrl as string
  const offers = "state = 'created' and data ->> 'mail' = 'place-offered'"
  expect(await readMailbox(url, offers)).toHaveLength(1)
  const { file } = await backUp(studio)
  const [inTime, later, tooLate] = [await openEmptyPlace(), await openEmptyPlace(), await openEmptyPlace()]
  for (const place of [inTime, later, tooLate]) await restore(studio, file, place)
  await settleOffline(inTime, studio.clock.now())
  expect(await readMailbox(inTime, offers)).toHaveLength(1)
  const turns = 'select turn from waiting_list order by id'
  expect(await ask(inTime, turns)).toEqual([{ turn: 'offered' }, { turn: null }])
  studio.clock.advance({ minutes: 20 })
  await settleOffline(later, studio.clock.now())
  expect(await ask(later, turns)).toEqual([{ turn: 'over' }, { turn: null }])
  studio.travelTo('Monday 18:00')
  await settleOffline(tooLate, studio.clock.now())
  expect(await readMailbox(tooLate, offers)).toEqual([])
  expect(await ask(tooLate, 'select id from waiting_list')).toEqual([])
  expect(await readMailbox(tooLate, "data ->> 'mail' = 'booking-cancelled'")).toHaveLength(1)
})

test('ends held places that ran out since the backup: the credit is back, and only the member who gets the place is emailed', async () => {
  const { studio, ana } = await openStudio()
  const waiting = await studio.member('Wanda', { health: true, credits: 1 })
  const id = await studio.createClass('Friday 18:00')
  const companion = { firstName: 'Ben', lastName: 'Beck', email: 'ben@people.example' }
  expect((await ana.book(id, { companion })).status).toBe(201)
  expect((await waiting.call(joinWaitingList, { params: { id } })).status).toBe(201)
  // Only what the restore itself queues.
  await studio.mailbox()
  const { file } = await backUp(studio)
  const [inTime, late] = [await openEmptyPlace(), await openEmptyPlace()]
  for (const place of [inTime, late]) await restore(studio, file, place)
  const states =
    "select answer, line.id is not null as is_returned from bookings join invitations on invitations.id = invitation_id left join credit_ledger line on line.booking_id = bookings.id and line.kind = 'return'"
  studio.clock.advance({ hours: 47, minutes: 59 })
  await settleOffline(inTime, studio.clock.now())
  expect(await ask(inTime, states)).toEqual([{ answer: null, is_returned: false }])
  studio.clock.advance({ minutes: 1 })
  await settleOffline(late, studio.clock.now())
  await settleOffline(late, studio.clock.now())
  expect(await ask(late, states)).toEqual([{ answer: 'ended', is_returned: true }])
  expect(await ask(late, 'select booked_count, reserved_places from classes')).toEqual([
    { booked_count: 2, reserved_places: 0 },
  ])
  expect((await readMailbox(late, 'true')).map(({ mail }) => mail)).toEqual(['place-from-waiting-list'])
})

test('texts nobody twice: neither what waited in the backup nor a hold that was texted since', async () => {
  const { studio, ana, dora } = await openStudio()
  studio.server.textSandbox?.forget()
  await ana.call(editProfile, { body: { firstName: 'Ana', lastName: 'Cast', phone: '07700 900123' } })
  const companion = { firstName: 'Ben', lastName: 'Beck', email: 'ben@people.example' }
  expect((await ana.book(await studio.createClass('Friday 18:00'), { companion })).status).toBe(201)
  const id = await studio.createClass('Wednesday 08:00')
  await ana.book(id)
  await dora.call(editClass, { params: { id }, body: { startTime: '08:15', endTime: '09:00' } })
  const { file } = await backUp(studio)
  // Two hours before the hold ends.
  studio.clock.advance({ hours: 46 })
  const { workers, textSandbox } = studio.server
  await workers['end-holds']({}, 'a-job')
  await workers['send-texts']({}, 'a-job')
  expect(textSandbox?.sent.map(({ body }) => body)).toEqual([
    expect.stringContaining('moves to'),
    expect.stringContaining('the place you are holding'),
  ])

  const place = await openEmptyPlace()
  await restore(studio, file, place)
  const { server } = await openSiteOn(place, studio)
  await server.workers['end-holds']({}, 'a-job')
  await server.workers['send-texts']({}, 'a-job')
  expect(server.textSandbox?.sent).toEqual([])
  expect(await ask(place, 'select kind, state from texts order by kind')).toEqual([
    { kind: 'class_moved', state: 'left_out' },
    { kind: 'hold_ending', state: 'left_out' },
  ])
})

test('restores the owner’s pictures, and the restored site serves the same files', async () => {
  const { studio, dora } = await openStudio()
  const { body: picture } = await upload(dora, 'hero', await jpeg())
  await dora.call(editStudio, { body: { pictures: { hero: { id: picture.id, alt: 'A light room' } } } })
  const { file } = await backUp(studio)
  const place = await openEmptyPlace()
  await restore(studio, file, place)
  const { server } = await openSiteOn(place, studio)
  const facts = JSON.parse((await fetchFile(server.origin, '/api/studio')).content.toString())
  expect(facts.pictures).toEqual({ hero: { ...picture, alt: 'A light room' } })
  for (const path of [`wide/${picture.width}`, `narrow/${picture.narrow.width}`]) {
    const [there, here] = await Promise.all(
      [server.origin, studio.server.origin].map((origin) => fetchFile(origin, `/pictures/${picture.id}/${path}.webp`)),
    )
    expect([there?.status, there?.content]).toEqual([200, here?.content])
  }
})
