import { expect, test } from 'vitest'
import { listAttention, markDone } from '#attention/contract.ts'
import { CSP_REPORTS } from '#platform/http/security-headers.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { violationOf } from './csp-reports.ts'

const report = (blocked: string, page = '/checkout?packageId=1&amount=65', directive = 'script-src-elem') => ({
  'csp-report': {
    'document-uri': `https://www.studio.example${page}`,
    'blocked-uri': blocked,
    'effective-directive': directive,
  },
})

test.each([
  ['https://evil.example/x.js?card=1', 'https://evil.example'],
  ['inline', 'inline'],
  ['data:text/javascript,1', 'data'],
  ['http://evil.example:8080/', 'http://evil.example:8080'],
])('keeps of %s only %s', (blocked, kept) => {
  expect(violationOf(report(blocked))).toEqual({ page: '/checkout', directive: 'script-src-elem', blocked: kept })
})

test.each([
  ['a browser extension', report('chrome-extension://abcdef/inject.js')],
  ['an unknown page', report('inline', '/nothing')],
  ['a public page', report('inline', '/pricing')],
  ['a directive in other words', report('inline', '/checkout', 'Ana’s card 4242')],
  ['something blocked in other words', report('my password')],
  ['a scheme that the database refuses', report('x2:foo')],
  ['a scheme that is too long', report(`${'a'.repeat(300)}:foo`)],
  ['no report', { hello: 'world' }],
  ['no object', 'hello'],
])('ignores %s', (_case, body) => {
  expect(violationOf(body)).toBeUndefined()
})

async function send(studio: StudioUnderTest, body: unknown, type = 'application/csp-report'): Promise<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${studio.server.origin}${CSP_REPORTS}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: text,
  })
  return response.status
}

test('ten reports of one kind within an hour need attention, until they are marked as done', async () => {
  const { studio, dora } = await openStudio()
  const items = async () => (await dora.call(listAttention)).body
  for (let i = 0; i < 9; i++) expect(await send(studio, report('https://evil.example/a.js'))).toBe(204)
  for (let i = 0; i < 9; i++) await send(studio, report('inline'))
  expect(await items()).toEqual([])
  studio.travelTo('Monday 10:01')
  await send(studio, report('https://evil.example/b.js'))
  expect(await items()).toEqual([])
  studio.travelTo('Monday 09:30')
  await send(studio, report('inline', '/checkout?packageId=9'))
  const [item, ...others] = await items()
  expect([item?.kind, item?.about, others]).toEqual(['scripts_blocked', '/checkout script-src-elem inline', []])
  const body = { kind: 'scripts_blocked', about: '/checkout script-src-elem inline' } as const
  expect((await dora.call(markDone, { body })).body).toEqual([])
  studio.travelTo('Monday 10:20')
  await send(studio, report('inline'))
  expect(await items()).toEqual([])
})

test('drops further reports from one network, and refuses what is not a report', async () => {
  const { studio } = await openStudio()
  const count = () => studio.count('select count(*) from csp_reports')
  expect(await send(studio, '{')).toBe(400)
  expect(await send(studio, report('inline'), 'text/plain')).toBe(415)
  expect(await send(studio, `"${'x'.repeat(20_000)}"`)).toBe(413)
  expect(await count()).toBe(0)
  for (let i = 0; i < 61; i++) expect(await send(studio, report('inline'))).toBe(204)
  expect(await count()).toBe(60)
})

test('the database refuses a query and a full address', async () => {
  const { studio } = await openStudio()
  const insert = (page: string, blocked: string) =>
    studio.server.database.pool.query(
      `insert into csp_reports (at, page, directive, blocked) values (now(), $1, 'img-src', $2)`,
      [page, blocked],
    )
  await expect(insert('/checkout?amount=1', 'inline')).rejects.toThrow('csp_reports_have_no_queries')
  await expect(insert('/checkout', 'https://a.example/path')).rejects.toThrow('csp_reports_name_origins_only')
})

test('security.txt names the studio’s email address and expires in half a year', async () => {
  const { studio } = await openStudio()
  const text = await (await fetch(`${studio.server.origin}/.well-known/security.txt`)).text()
  expect(text).toMatch(
    /^Contact: mailto:hello@aldergate\.example\nExpires: 2027-06-0\dT.*\nPreferred-Languages: en\nCanonical: /,
  )
})
