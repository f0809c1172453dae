import { expect, test } from 'vitest'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** A read with the browser's stored version. Node's fetch would add `no-cache`. */
async function read(who: ReturnType<StudioUnderTest['visitor']>, path: string, known?: string, encoding = 'identity') {
  const sent = { 'accept-encoding': encoding, ...(known && { 'if-none-match': known, 'cache-control': 'max-age=0' }) }
  const { status, body, headers } = await who.request('GET', path, undefined, sent)
  return { status, body, version: headers.get('etag') ?? '', headers }
}

test('returns 304 to a client that has the packages, until one changes', async () => {
  const { studio, dora } = await openStudio()
  const visitor = studio.visitor()
  const { id } = await studio.createPackage({ name: 'Five Classes' })
  const first = await read(visitor, '/api/packages')
  expect(first.status).toBe(200)
  expect(JSON.stringify(first.body)).toContain('Five Classes')
  expect(first.headers.get('cache-control')).toBe('private, no-cache')

  const again = await read(visitor, '/api/packages', first.version)
  expect([again.status, again.body, again.version]).toEqual([304, '', first.version])
  expect(again.headers.get('cache-control')).toBe('private, no-cache')

  await dora.request('PUT', `/api/packages/${id}`, { name: 'Five Mornings' })
  const changed = await read(visitor, '/api/packages', first.version)
  expect(changed.status).toBe(200)
  expect(JSON.stringify(changed.body)).toContain('Five Mornings')
  expect(changed.version).not.toBe(first.version)
})

test('a booking changes the timetable’s version; members and visitors share one version', async () => {
  const { studio, ana } = await openStudio()
  const classId = await studio.createClass('Tuesday 18:00')
  const visitor = studio.visitor()
  const { version } = await read(visitor, '/api/classes')
  expect(await read(ana, '/api/classes', version)).toMatchObject({ status: 304 })
  await ana.book(classId)
  expect(await read(visitor, '/api/classes', version)).toMatchObject({ status: 200 })
})

test('sends no ETag to admins, who see more, or with a refusal', async () => {
  const { studio, dora } = await openStudio()
  for (const response of [await read(dora, '/api/classes'), await read(studio.visitor(), '/api/classes?from=soon')]) {
    expect([response.version, response.headers.get('cache-control')]).toEqual(['', 'no-store'])
  }
})

test('long responses are still compressed, under the same weak version in each encoding', async () => {
  const { studio } = await openStudio()
  for (let i = 1; i <= 5; i += 1)
    await studio.createPackage({ name: `Pass ${i}`, description: 'A reformer to yourself. '.repeat(20) })
  const visitor = studio.visitor()
  const plain = await read(visitor, '/api/packages')
  expect(plain.version).toMatch(/^W\/"/)
  for (const encoding of ['br', 'gzip']) {
    const response = await read(visitor, '/api/packages', undefined, encoding)
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect([response.body, response.version]).toEqual([plain.body, plain.version])
    expect(await read(visitor, '/api/packages', plain.version, encoding)).toMatchObject({ status: 304 })
  }
})
