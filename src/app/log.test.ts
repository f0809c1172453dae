import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BEFORE_OPENING } from '#facts/rules.ts'
import { confirmItem } from '#facts/server/facts.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** Everything that is printed outside the log during a test. */
let printed = ''
beforeEach(() => {
  printed = ''
  const listen = (chunk: unknown) => {
    printed += String(chunk)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(listen)
  vi.spyOn(process.stderr, 'write').mockImplementation(listen)
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
    vi.spyOn(console, level).mockImplementation((...words) => void listen(words.map(String).join(' ')))
  }
})
afterEach(() => vi.restoreAllMocks())

/** The canaries, in every form in which they could appear in a line. */
function expectUnsaid(logged: string[], canaries: string[]) {
  const output = logged.join('') + printed
  for (const canary of canaries) {
    for (const form of [
      canary,
      encodeURIComponent(canary),
      JSON.stringify(canary).slice(1, -1),
      btoa(canary).replace(/=+$/, ''),
    ]) {
      expect(
        output.includes(form),
        `"${form}" was logged: ${output.slice(output.indexOf(form) - 300).slice(0, 600)}`,
      ).toBe(false)
    }
  }
}
const errors = (studio: StudioUnderTest) =>
  studio.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)

const PASSWORD = 'canary-password-1'
const CARD = '4000000000009995'

test('logs and prints no secret, password, card or health value', async () => {
  const { studio, ana, dora } = await openStudio()
  const { pool } = studio.server.database
  const person = studio.visitor('Canaria')
  const form = {
    email: 'canary-mail@people.example',
    firstName: 'Canaryname',
    lastName: 'Canarylast',
    password: PASSWORD,
  }
  await person.request('POST', '/api/register', form)
  const [[, cookie = ''] = []] = [...person.cookies]

  await person.request('POST', '/api/login', { username: form.email, password: PASSWORD })
  const [[, second = ''] = []] = [...person.cookies]
  await person.request('POST', '/api/login', { username: form.email, password: 'canary-wrong-2' })
  await person.request('POST', '/api/register', form)
  await Promise.all(
    [1, 2, 3].map(() =>
      studio.visitor().request('POST', '/api/register', { ...form, email: 'canary-race@people.example' }),
    ),
  )
  await person.request('POST', '/api/login', `{"username":"x","password":"${PASSWORD}"`)
  await person.request('POST', '/api/login', `password=${PASSWORD}`, { 'content-type': 'text/plain' })
  await person.request('GET', `/api/nothing?password=${PASSWORD}`)
  await person.request('GET', `/api/verify-email?token=canary-query-token`)
  await person.request('GET', '/api/classes?from=canary-from', undefined, { authorization: 'Bearer canary-bearer' })
  await person.request('POST', '/api/password-reset', { email: form.email })
  await studio.runQueue('mail-link')
  const mails = await studio.mailTo(form)
  const [, token = ''] = /reset=([\w-]+)/.exec(mails.map(({ text }) => text).join()) ?? []
  expect(token).not.toBe('')
  await person.request('POST', '/api/password-reset/confirm', { token, password: 'canary-new-3' })
  const [[, third = ''] = []] = [...person.cookies]

  // Health answers, with their key and with a database that fails.
  const health = { allergies: 'canary-allergy', hasHeartCondition: true, specificConcerns: 'canary-concern' }
  const contact = { contactName: 'Canary Contact', relationship: 'canary-friend', phoneNumber: '01632 960198' }
  await ana.request('POST', '/api/health/questionnaire', health)
  await ana.request('POST', '/api/health/emergency-contact', contact)
  await dora.request('GET', '/api/admin/health-updates')
  await pool.query('alter table health_updates add constraint canary check (created_at is null) not valid')
  expect((await ana.request('POST', '/api/health/questionnaire', health)).status).toBe(500)
  await pool.query('alter table health_updates drop constraint canary')

  const pass = await studio.createPackage()
  const { body: intent } = await ana.request('POST', '/api/create-payment-intent', {
    packageId: pass.id,
    amount: '424.00',
  })
  const card = new URLSearchParams({
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': CARD,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2034',
    'payment_method_data[card][cvc]': '987',
    client_secret: intent.clientSecret,
    key: 'pk_test_sandbox',
  })
  const confirm = `/sandbox/stripe/v1/payment_intents/${intent.paymentIntentId}/confirm`
  const declined = await ana.request('POST', confirm, card.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(declined.status).toBe(402)
  await ana.request('POST', '/api/purchase-package', { packageId: pass.id, paymentIntentId: intent.paymentIntentId })

  // Database errors that quote values: an unknown column, and a constraint that names its key.
  await pool.query('alter table packages rename column description to gone')
  const made = await dora.request('POST', '/api/packages', {
    name: 'canary-package',
    description: 'canary-description',
    price: '1.00',
    classCount: 1,
    validityMonths: 1,
  })
  expect(made.status).toBe(500)
  await pool.query("create unique index canary on users (last_name) where email like 'canary-unique%'")
  const signUp = (email: string) => studio.visitor().request('POST', '/api/register', { ...form, email })
  expect((await signUp('canary-unique-1@people.example')).status).toBe(201)
  expect((await signUp('canary-unique-2@people.example')).status).toBe(500)

  // Something was logged: every request, and three errors with their kind and place.
  expect(studio.logged.filter((line) => line.includes('/api/login')).length).toBeGreaterThan(3)
  expect(errors(studio)).toHaveLength(3)
  for (const { err } of errors(studio)) {
    expect(err.message).toMatch(/^database error \w{5}$/)
    expect(err.stack).toMatch(/at .*\.ts/)
  }
  expect(errors(studio).at(-1).err).toMatchObject({ code: '23505', constraint: 'canary', table: 'users' })

  const typed = [
    PASSWORD,
    'canary-wrong-2',
    'canary-new-3',
    form.email,
    'canary-race',
    'canary-unique',
    'Canarylast',
    'Canaryname',
  ]
  const sent = ['canary-query-token', 'canary-from', 'canary-bearer', 'canary-package', 'canary-description']
  const healthy = ['canary-allergy', 'canary-concern', 'Canary Contact', 'canary-friend', '01632 960198']
  const tokens = [
    token,
    intent.clientSecret,
    ...[cookie, second, third].flatMap((each) => [each, each.split('.')[0] ?? each]),
  ]
  const secrets = [
    studio.settings.sessionSecret,
    ...studio.settings.healthDataKeys.map((key) => key.toString('base64')),
  ]
  expect(tokens.every((each) => each.length > 20)).toBe(true)
  expectUnsaid(studio.logged, [...typed, ...sent, ...healthy, ...tokens, ...secrets, CARD, '987'.padStart(4, '"')])
})

test('does not log the content of invalid HTTP', async () => {
  const studio = await openEmptyStudio()
  const { port } = new URL(studio.server.origin)
  const response = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write('GET /canary-path HTTP/1.1\r\ncanary header\r\n\r\n'),
    )
    socket.on('data', (data) => resolve(String(data)))
    socket.on('error', reject)
  })
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response).not.toContain('canary')
  expectUnsaid(studio.logged, ['canary-path', 'canary header'])
})

test('logs an unreachable card provider without our key', async () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_live_canary_key',
    STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
    STRIPE_WEBHOOK_SECRET: 'whsec_canary',
    STRIPE_API_URL: 'http://127.0.0.1:9/canary-stripe',
  }
  const studio = await openEmptyStudio({ env: { ...LIVE, ...stripe } })
  for (const item of BEFORE_OPENING) await confirmItem(studio.db, item, null, studio.clock.now())
  const ana = await studio.member('Ana')
  const pass = await studio.createPackage()
  const response = await ana.request('POST', '/api/create-payment-intent', { packageId: pass.id, amount: '424.00' })
  expect(response.status).toBe(503)
  expect(errors(studio).length).toBeGreaterThan(0)
  expectUnsaid(studio.logged, ['canary_key', 'whsec_canary', 'sk_live', LIVE.SESSION_SECRET, LIVE.HEALTH_DATA_KEY])
})
