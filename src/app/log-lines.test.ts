import { DrizzleQueryError } from 'drizzle-orm'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { internalHeaders } from '#platform/http/internal-requests.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { studioLog } from './log.ts'

describe('an error in the log', () => {
  const logged = (error: Error) => {
    const lines: string[] = []
    studioLog('info', { write: (text) => void lines.push(text) }).error({ err: error }, 'it happened')
    return JSON.parse(lines.join(''))
  }
  const fromDatabase = () => {
    const error = new pg.DatabaseError('duplicate key value (canary@people.example)', 1, 'error')
    return Object.assign(error, {
      code: '23505',
      constraint: 'one_account',
      table: 'users',
      detail: 'Key (canary)',
      where: 'canary',
    })
  }
  const query = (cause: Error) => new DrizzleQueryError('select $1', ['canary-parameter'], cause)

  test.each([
    ['of the database', () => fromDatabase()],
    ['of a query', () => query(fromDatabase())],
    ['of a query whose connection was lost', () => query(new Error('Connection terminated'))],
    ['about a query', () => new Error('job mail failed', { cause: query(fromDatabase()) })],
    ['about a query whose connection was lost', () => new Error('job failed', { cause: query(new Error('lost')) })],
    [
      'deep down',
      () => new Error('a', { cause: new Error('b', { cause: new Error('c', { cause: query(new Error('d')) }) }) }),
    ],
  ])('%s quotes nothing', (_, make) => {
    const line = logged(make())
    expect(JSON.stringify(line)).not.toContain('canary')
    expect(line.err.message).toMatch(/^database error/)
    expect(line.err.stack).toMatch(/^\s+at /)
  })

  test('keeps the message, causes and stack of our own errors', () => {
    const { err, msg } = logged(new TypeError('no such thing', { cause: new RangeError('too far') }))
    expect(msg).toBe('it happened')
    expect(err).toMatchObject({ type: 'TypeError', message: 'no such thing', causes: ['RangeError: too far'] })
    expect(err.stack).toContain('log-lines.test.ts')
    expect(err.stack).not.toContain('no such thing')
  })

  test('ends for an error that causes itself', () => {
    const ring = new Error('a')
    ring.cause = ring
    expect(logged(ring).err.message).toBe('a')
  })
})

test('logs a request’s method and path without the query, and a response’s status', () => {
  const lines: string[] = []
  const log = studioLog('info', { write: (text) => void lines.push(text) })
  log.info({
    req: { method: 'GET', url: '/api/verify-email?token=canary', headers: { cookie: 'canary' } },
    res: { statusCode: 303 },
  })
  expect(JSON.parse(lines.join(''))).toMatchObject({
    req: { method: 'GET', path: '/api/verify-email' },
    res: { status: 303 },
  })
  expect(lines.join('')).not.toContain('canary')
})

test('logs two lines per request, and none for a page’s own requests to the API', async () => {
  const studio = await openEmptyStudio()
  const linesOf = (path: string) => studio.logged.filter((line) => JSON.parse(line).req?.path === path).length
  await studio.visitor('Vera').request('GET', '/api/packages')
  expect(linesOf('/api/packages')).toBe(1)
  await studio.server.app.inject({ url: '/api/packages', headers: internalHeaders })
  expect(linesOf('/api/packages')).toBe(1)
})
