import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { openTestDatabase } from '#testing/test-databases.ts'
import { OperatorError } from '../operator-error.ts'
import { unavailable } from './database.ts'
import { isTooOld, migrate } from './migrate.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

const SETTING = 'DATABASE_URL'
const refused = () =>
  unavailable(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }), 'no connection')
const slow = () => unavailable(new Error('timeout expired'), 'no connection')

function patience(url = 'postgres://studio:secret@db.example/studio', absentMs = 60_000) {
  const output: string[] = []
  return {
    output,
    retryStep: retryWhileUnavailable({ url, setting: SETTING }, { print: (each) => output.push(each), absentMs }),
  }
}

/** The message of a start on a migrated database at this address. */
async function faultAt(url: string): Promise<string> {
  const { output, retryStep } = patience(url)
  const fault = await retryStep(() => migrate(url)).catch((error) => error)
  expect(fault).toBeInstanceOf(OperatorError)
  expect(output).toEqual([])
  return fault.message
}

describe('reports an error in one plain sentence', () => {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(inject('databaseServer'))
    change(url)
    return url
  }

  test('for a wrong password, an unknown role or database, without the password', async () => {
    const wrong = changed((url) => Object.assign(url, { password: 'guessed-it' }))
    expect(await faultAt(wrong.href)).toBe(
      `PostgreSQL at ${wrong.host} refuses the password of "${wrong.username}". Correct DATABASE_URL.`,
    )
    const stranger = changed((url) => Object.assign(url, { username: 'stranger' }))
    expect(await faultAt(stranger.href)).toBe(
      `PostgreSQL at ${stranger.host} refuses the password of "stranger". Correct DATABASE_URL.`,
    )
    const nowhere = changed((url) => Object.assign(url, { pathname: '/nowhere' }))
    expect(await faultAt(nowhere.href)).toBe(
      `There is no database "nowhere" at ${nowhere.host}. Create it, or correct DATABASE_URL.`,
    )
  })

  test('for a server without TLS', async () => {
    const { url, drop } = await openTestDatabase(inject('databaseServer'))
    onTestFinished(drop)
    expect(await faultAt(`${url}?sslmode=verify-full`)).toMatch(
      /^PostgreSQL at [\d.:]+ does not encrypt its connections\. Remove sslmode from DATABASE_URL/,
    )
  })

  test('for a newer schema and for another baseline', async () => {
    const { url, drop } = await openTestDatabase(inject('databaseServer'))
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await drop()
    })
    await client.query("insert into migrations (name, checksum) values ('9999_newer.sql', 'newer')")
    expect(await faultAt(url)).toMatch(/^The database is newer than .* is 9999_newer\.sql, the newest here is \d{4}_/)
    await client.query("update migrations set checksum = 'other'")
    expect(await faultAt(url)).toMatch(
      /^The database is of another baseline: .* from \d{4}_\w+\.sql on\. Start it with/,
    )
  })

  test.each([
    [140_022, true],
    [149_999, true],
    [150_000, false],
    [180_004, false],
  ])('server_version_num %d is too old: %s', (number, tooOld) => expect(isTooOld(number)).toBe(tooOld))
})

describe('waiting', () => {
  test('keeps trying while the database is unreachable, logs that once, and returns the result', async () => {
    const { output, retryStep } = patience()
    const answers = [refused, refused]
    const answer = await retryStep(async () => {
      const next = answers.shift()
      if (next) throw next()
      return 'open'
    })
    expect(answer).toBe('open')
    expect(output).toEqual(['Waiting for the database at db.example:5432: no server is listening there.'])
  })

  test('ends with a sentence when the database stays absent', async () => {
    const { retryStep } = patience(undefined, 0)
    await expect(retryStep(() => Promise.reject(refused()))).rejects.toThrow(
      /^The database at db\.example:5432 could not be reached for 0 seconds \(no server is listening there\)\. Check that it is running and that DATABASE_URL is correct\.$/,
    )
  })

  test('never ends for a slow database, and restarts the count when it was up in between', async () => {
    const { output, retryStep } = patience(undefined, 0)
    const answers = [slow, refused, slow, refused]
    const answer = await retryStep(async () => {
      const next = answers.shift()
      if (next) throw next()
      return 'open'
    })
    expect(answer).toBe('open')
    expect(output).toEqual(['Waiting for the database at db.example:5432: it takes too long.'])
  })

  test('waits for a server that is starting or full; throws any other error', async () => {
    for (const code of ['57P03', '53300']) {
      const errors = [Object.assign(new pg.DatabaseError('not now', 1, 'error'), { code })]
      const answer = await patience().retryStep(async () => {
        const next = errors.pop()
        if (next) throw next
        return 'open'
      })
      expect(answer).toBe('open')
    }
    const fault = new TypeError('ours')
    await expect(patience().retryStep(() => Promise.reject(fault))).rejects.toBe(fault)
  })
})
