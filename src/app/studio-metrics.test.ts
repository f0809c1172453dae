import { expect, test } from 'vitest'
import { internalHeaders } from '#platform/http/internal-requests.ts'
import { SHORT_LIMITS } from '#testing/limits.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { openDatabaseProxy } from './database-proxy-under-test.ts'

const METRICS_TOKEN = 'the-token-of-the-tests'
const bearer = { authorization: `Bearer ${METRICS_TOKEN}` }
const scrape = (person: Person, headers: Record<string, string> = bearer) =>
  person.request('GET', '/metrics', undefined, headers)

/** The value of a line; undefined if there is none. */
function figure({ body }: TestResponse<string>, line: string): number | undefined {
  const found = body.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length))
}

/** A response without its varying headers. */
const lasting = ({ status, body, headers }: TestResponse) => {
  const kept = Object.fromEntries(headers)
  delete kept.date
  return { status, body, headers: kept }
}

test('returns 404 without the token, as for any unknown path', async () => {
  const { studio, dora } = await openStudio()
  const unknown = lasting(await dora.request('GET', '/metricz'))
  expect(unknown.status).toBe(404)
  expect(lasting(await scrape(dora))).toEqual(unknown) // no token is set

  const guarded = await openStudio({ env: { METRICS_TOKEN } })
  for (const authorization of ['', 'Bearer ', 'Bearer wrong', METRICS_TOKEN, `Basic ${METRICS_TOKEN}`]) {
    expect(lasting(await scrape(guarded.dora, { authorization }))).toEqual(unknown)
  }
  expect(lasting(await guarded.studio.visitor().request('POST', '/metrics', {}))).toEqual(
    lasting(await studio.visitor().request('POST', '/metricz', {})),
  )
})

test('counts requests by method, route and status, never by address', async () => {
  const { studio, ana } = await openStudio({ env: { METRICS_TOKEN } })
  const before = await scrape(studio.visitor()) // from other tests
  await ana.request('PUT', '/api/bookings/4711/cancel')
  await ana.request('PUT', '/api/bookings/4712/cancel')
  for (const path of ['/4713', '/4714?ana@people.example', '/api/4715']) await ana.request('GET', path)
  await ana.request('GET', '/api/packages')
  // As a page does during rendering.
  await studio.server.app.inject({ url: '/api/packages', headers: internalHeaders })
  const response = await scrape(studio.visitor())
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const count = (labels: string) => {
    const line = `http_request_duration_seconds_count{${labels}}`
    return (figure(response, line) ?? 0) - (figure(before, line) ?? 0)
  }
  expect(count('method="PUT",route="/api/bookings/:id/cancel",status="404"')).toBe(2)
  expect(count('method="GET",route="unknown",status="404"')).toBe(3)
  expect(count('method="GET",route="/api/packages",status="200"')).toBe(1)
  expect(figure(response, 'nodejs_eventloop_utilization')).toBeGreaterThan(0)
  expect(figure(response, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  const labels = response.body.match(/\{.*\}/g)
  expect(labels.length).toBeGreaterThan(50)
  expect(labels.join()).not.toMatch(/471\d|people\.example|Ana/)
})

test('reports jobs, emails, refunds and payments', async () => {
  const { studio, ana } = await openStudio({ env: { METRICS_TOKEN } })
  const { pool } = studio.server.database
  const { status } = await ana.book(await studio.createClass('Tuesday 18:00'))
  expect(status).toBe(201)
  await pool.query(
    `update pgboss.job set state = 'retry', created_on = now() - interval '1 hour'
     where id = (select id from pgboss.job where name = 'mail' limit 1)`,
  )
  await pool.query(
    `insert into undelivered_mails (id, address, mail, reason, failed_at)
     values (gen_random_uuid(), 'gone@people.example', '{}', 'no such mailbox', now())`,
  )
  await pool.query(
    `insert into pgboss.job (name, state, completed_on) values ('send-refund', 'failed', now()), ('send-refund', 'failed', now())`,
  )
  const { id: packageId } = await studio.createPackage()
  await pool.query(
    `insert into payment_intents (id, user_id, package_id, amount_pence, lines, class_count, validity_months, state, created_at, next_poll_at)
     select 'pi_' || state || n, $1, $2, 42400, '[{"amountPence": 42400}]', 8, 4, state, now(), now()
     from unnest(array['open', 'open', 'processing']) with ordinality as made (state, n)`,
    [ana.id, packageId],
  )
  await pool.query(
    `insert into refunds (payment_intent_id, origin, amount_pence, status, created_at, failure, settled_at, answered_at)
     values ('pi_open1', 'given_back', 100, 'decided', now(), null, null, null),
            ('pi_open2', 'given_back', 100, 'failed', now(), 'closed', now(), null),
            ('pi_processing3', 'given_back', 100, 'failed', now(), 'closed', now(), now())`,
  )

  const busy = await pool.connect()
  const response = await scrape(studio.visitor())
  busy.release()
  const mails = await studio.count(`select count(*) from pgboss.job where name = 'mail' and state < 'active'`)
  expect(mails).toBeGreaterThan(1)
  expect(figure(response, 'studio_queue_jobs{queue="mail"}')).toBe(mails)
  expect(figure(response, 'studio_queue_jobs{queue="send-refund"}')).toBe(0)
  expect(figure(response, 'studio_queue_oldest_seconds{queue="mail"}')).toBeGreaterThanOrEqual(3600)
  expect(figure(response, 'studio_mails_failed{state="retrying"}')).toBe(1)
  expect(figure(response, 'studio_mails_failed{state="given_up"}')).toBe(1)
  expect(figure(response, 'studio_queue_given_up{queue="send-refund"}')).toBe(2)
  expect(figure(response, 'studio_payments_open{state="open"}')).toBe(2)
  expect(figure(response, 'studio_payments_open{state="processing"}')).toBe(1)
  expect(figure(response, 'studio_refunds_troubled{state="unsent"}')).toBe(1)
  expect(figure(response, 'studio_refunds_troubled{state="failed"}')).toBe(1)
  expect(figure(response, 'studio_database_connections{pool="web",state="in_use"}')).toBe(1)
  expect(figure(response, 'studio_database_connections{pool="web",state="waiting"}')).toBe(0)
})

test('omits and counts a metric that cannot be read, and reports the rest', async () => {
  const { studio } = await openStudio({ env: { METRICS_TOKEN } })
  const { pool } = studio.server.database
  const line = await openDatabaseProxy(studio.settings.databaseUrl as string)
  const { loggedInAs } = await studio.startSecondProcess({ limits: SHORT_LIMITS, databaseUrl: line.url })
  const probe = loggedInAs(studio.visitor())
  const unread = (response: TestResponse, metric: string) =>
    figure(response, `studio_metrics_unread_total{metric="${metric}"}`)

  await pool.query('alter table refunds rename to gone')
  const partly = await scrape(probe)
  await pool.query('alter table gone rename to refunds')
  expect(figure(partly, 'studio_refunds_troubled{state="failed"}')).toBeUndefined()
  expect(unread(partly, 'studio_refunds_troubled')).toBe(1)
  expect(figure(partly, 'studio_payments_open{state="open"}')).toBe(0)
  expect(unread(partly, 'studio_payments_open')).toBe(0)

  line.cut()
  const alone = await scrape(probe)
  expect(alone.status).toBe(200)
  expect(figure(alone, 'studio_queue_jobs{queue="mail"}')).toBeUndefined()
  expect(figure(alone, 'studio_database_connections{pool="web",state="in_use"}')).toBe(0)
  line.restore()
  await expect.poll(async () => figure(await scrape(probe), 'studio_refunds_troubled{state="failed"}')).toBe(0)
})

test('reports the age of the newest backup, and nothing before the first', async () => {
  const { studio } = await openStudio({ env: { METRICS_TOKEN } })
  const age = async () => figure(await scrape(studio.visitor()), 'studio_last_backup_age_seconds')
  expect(await age()).toBeUndefined()
  const at = studio.clock.now().toString()
  await studio.server.database.pool.query(
    `insert into backups (made_by, machine, began_at, ended_at, file, bytes) values ('command', 'here', $1, $1, '/b', 1)`,
    [at],
  )
  studio.clock.advance({ hours: 2 })
  expect(await age()).toBe(7200)
})
