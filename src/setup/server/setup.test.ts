import { expect, test } from 'vitest'
import { listAttention } from '#attention/contract.ts'
import { editStudio, readStudio } from '#facts/contract.ts'
import { isConfirmed, mailFacts } from '#facts/server/facts.ts'
import { renderMail } from '#messages/server/render-mail.ts'
import { createPaymentIntent, getPaymentSetup, paymentRefusals } from '#payments/contract.ts'
import { initialFacts } from '#studio.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openStudio, type Story } from '#testing/studio-under-test.ts'
import { confirmSetUp, readSetUp, type SetUpItem, setUpRefusals } from '../contract.ts'

const CARDS = {
  STRIPE_SECRET_KEY: 'sk_test_double',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
  STRIPE_WEBHOOK_SECRET: 'whsec_double',
  STRIPE_API_URL: 'http://127.0.0.1:9',
}
const HERS = {
  name: 'Wharfedale Reformer',
  instructor: { ...initialFacts.instructor, name: 'Jo Hart', story: 'Jo danced, then taught.' },
  address: { street: '1 New Row', town: 'Ilkley', county: 'West Yorkshire', postcode: 'LS29 1AA' },
  visit: { door: 'The blue door.', parking: 'On the street.', transport: 'Five minutes from the station.' },
  phone: '01632 960001',
  email: 'hello@wharfedale.example',
  ownerEmail: 'jo@wharfedale.example',
}

const openLive = () => openStudio({ env: { ...LIVE, ...CARDS } })
const confirm = ({ dora }: Pick<Story, 'dora'>, item: SetUpItem['item'] | 'finished') =>
  dora.call(confirmSetUp, { params: { item } })
const edit = ({ dora }: Pick<Story, 'dora'>, body: object) => dora.call(editStudio, { body })

test('a live site sells nothing and hides the example until name, address and contact are confirmed', async () => {
  const story = await openLive()
  const { studio, ana } = story
  const bought = await studio.createPackage({ price: '45.00' })
  const pay = () => ana.call(createPaymentIntent, { body: { packageId: bought.id, amount: '45.00' } })
  const isOpen = async () => (await studio.visitor().call(readStudio)).body.isConfirmed
  expect(await pay()).toBeRefused(paymentRefusals.payments_disabled)
  expect(await ana.read(getPaymentSetup)).toEqual({ provider: 'disabled', publishableKey: null })
  expect(await isOpen()).toBe(false)
  const job = { mail: 'welcome', data: { to: { email: ana.email, firstName: 'Ana' } } } as const
  const welcome = async () =>
    await renderMail(job, 'https://studio.example', { facts: await mailFacts(studio.db, 'live'), tokenOf: String })
  const before = await welcome()
  expect([before.replyTo, before.fromName]).toEqual([null, null])
  for (const fact of [initialFacts.phone, initialFacts.email, initialFacts.address.street])
    expect(before.html).not.toContain(fact)

  for (const item of ['name', 'address', 'contact'] as const)
    expect(await confirm(story, item)).toBeRefused(setUpRefusals.not_ready_to_confirm)
  const { name, address } = HERS
  await edit(story, { name, address, instructor: { ...initialFacts.instructor, name: 'Jo Hart' } })
  const texts = (await story.dora.read(readSetUp)).items.map(({ text }) => text)
  expect(texts).toContain('Still the example: the story.')
  expect(texts).toContain('Still the example: the door, parking, train and bus.')
  expect(await confirm(story, 'address')).toBeRefused(setUpRefusals.not_ready_to_confirm)
  await edit(story, HERS)
  for (const item of ['name', 'address'] as const) expect((await confirm(story, item)).status).toBe(200)
  expect(await isOpen()).toBe(false)
  expect((await confirm(story, 'contact')).status).toBe(200)
  expect(await isOpen()).toBe(true)
  // The double is not running: the request got as far as the provider.
  expect(await pay()).toBeRefused(paymentRefusals.payment_provider_unreachable)
  const after = await welcome()
  expect(after).toMatchObject({ replyTo: HERS.email, fromName: HERS.name })
  expect(after.text).toContain('Wharfedale Reformer, 1 New Row')
})

test('the list shows the current state, counts what is done, and disappears once the owner has closed it', async () => {
  const story = await openLive()
  const { studio, dora, boris } = story
  const list = async () => await dora.read(readSetUp)
  const item = async (name: SetUpItem['item']) => (await list()).items.find((one) => one.item === name)
  expect((await boris.call(readSetUp)).status).toBe(403)
  expect(await list()).toMatchObject({ done: 1, items: expect.objectContaining({ length: 11 }) })
  expect(await item('card_payments')).toMatchObject({ isDone: true, action: null })
  expect(await item('term')).toMatchObject({ isDone: false, text: 'No class is on the calendar yet.', action: null })
  await studio.createClass('Friday 10:00')
  expect(await item('term')).toMatchObject({ isDone: true, text: expect.stringMatching(/^1 class from .*11 December/) })
  for (const early of ['legal', 'test_email'] as const)
    expect(await confirm(story, early)).toBeRefused(setUpRefusals.not_ready_to_confirm)
  await studio.createPackage({ price: '45.00' })
  expect(await item('packages')).toMatchObject({ text: '2 packages on sale, from £45.00.', action: 'confirm' })
  // The price in force, before the nightly job has stored it.
  const next = "update packages set next_price_pence = 4700, next_price_from = '2026-12-01' where price_pence = 4500"
  await studio.server.database.pool.query(next)
  expect(await item('packages')).toMatchObject({ text: '2 packages on sale, from £47.00.' })

  const attention = async () => (await dora.read(listAttention)).map(({ kind }) => kind)
  expect(await attention()).not.toContain('legal_missing')
  await edit(story, HERS)
  for (const name of ['name', 'address', 'contact'] as const) await confirm(story, name)
  expect(await attention()).toContain('legal_missing')
  const legal = { form: 'sole_trader', name: 'Jo Hart', serviceAddress: '1 New Row, Ilkley LS29 1AA' }
  await edit(story, { legal })
  expect(await attention()).not.toContain('legal_missing')
  for (const name of ['hours', 'timetable', 'packages', 'backup'] as const) await confirm(story, name)
  await confirm(story, 'test_email')
  expect(await item('test_email')).toMatchObject({ isDone: false, action: 'send' })
  expect(await confirm(story, 'finished')).toBeRefused(setUpRefusals.not_ready_to_confirm)
  const mails = "select count(*) from pgboss.job where data ->> 'mail' = 'test-email'"
  expect(await studio.count(mails)).toBe(1)
  // The mail server takes it.
  await studio.db.execute(`insert into set_up_items (item, confirmed_at) values ('test_email', now())`)
  expect(await list()).toMatchObject({ done: 11 })
  expect((await confirm(story, 'finished')).body).toEqual({ items: [], done: 0 })
  expect(await studio.count("select count(*) from audit_log where action = 'confirmed'")).toBe(8)
  const made = "insert into set_up_items (item, confirmed_at) values ('colour', now())"
  await expect(studio.server.database.pool.query(made)).rejects.toMatchObject({ constraint: 'set_up_items_item_check' })
})

test('a demo is never held back and has no list', async () => {
  const { studio, dora } = await openStudio()
  expect(await dora.read(readSetUp)).toEqual({ items: [], done: 0 })
  expect(await isConfirmed(studio.db, 'demo')).toBe(true)
})

test('the test email counts as sent once it was handed over', async () => {
  const { studio, dora } = await openStudio()
  const to = { email: dora.email, firstName: 'Dora' }
  await studio.server.database.transaction((tx) => tx.enqueue('mail', { mail: 'test-email', data: { to } }))
  expect((await studio.mailTo(dora)).map(({ subject }) => subject)).toContain(`Test email from ${initialFacts.name}`)
  expect(await studio.count("select count(*) from set_up_items where item = 'test_email'")).toBe(1)
})
