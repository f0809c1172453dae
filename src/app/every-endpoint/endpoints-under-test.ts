import http from 'node:http'
import { expect } from 'vitest'
import type { Endpoint } from '#foundation/endpoint.ts'
import { endpoints } from '#testing/contracts.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'

export const all = [...endpoints]
export const withBody = all.filter(([, { body }]) => body)
export const writes = all.filter(([, { method }]) => method !== 'GET')
export const EVERY_METHOD = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The path with its parameters filled in, with ids that do not exist unless given. */
export const pathOf = ({ path }: Endpoint, id = '2147483647') => path.replace(/:\w+/g, id)

/** A checksum of all tables and the outbox, without counters and failed logins. Recomputed only after a write. */
export function keptBy(story: { studio: StudioUnderTest }): () => Promise<string> {
  const kept = { asOf: '', sum: '' }
  let question: string | undefined
  return async () => {
    const { pool } = story.studio.server.database
    const { rows: now } = await pool.query('select pg_snapshot_xmax(pg_current_snapshot())::text as "asOf"')
    if (now[0].asOf === kept.asOf) return kept.sum
    question ??= await sumOfAllTables(pool)
    // Prepared, because planning takes longer than executing.
    const { rows: sum } = await pool.query({ name: 'everything_kept', text: question })
    return Object.assign(kept, { asOf: now[0].asOf, sum: sum[0].all }).sum
  }
}

async function sumOfAllTables(pool: StudioUnderTest['server']['database']['pool']): Promise<string> {
  const { rows } = await pool.query(`
    select table_schema || '.' || table_name as name from information_schema.tables
    where (table_schema = 'public' and table_name not in ('migrations', 'throttles', 'security_events')) or (table_schema, table_name) = ('pgboss', 'job')
    order by 1`)
  expect(rows.length).toBeGreaterThan(15)
  const sums = rows.map(
    ({ name }) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t)`,
  )
  return `select ${sums.join(" || ':' || ")} as all`
}

/** Expects a sentence at the top and for each field. */
export function expectSentences({ status, body }: TestResponse, what: string) {
  expect(status, what).toBeGreaterThanOrEqual(400)
  expect(status, what).toBeLessThan(500)
  const sentences = [body.message, ...(body.errors ?? []).map((error: { message: string }) => error.message)]
  for (const sentence of sentences) {
    // Placeholders such as {minutes} are offered to the owner.
    expect(sentence.replaceAll(/\{[a-z]+\}/g, ''), what).toMatch(/^[A-Z][^{}[\]<>]{5,}$/)
    expect(sentence, what).not.toMatch(/undefined|null|NaN|expected|Invalid input|ZodError|JSON at|FST_|position/)
  }
  expect(Object.keys(body).sort(), what).toEqual(['code', ...(body.errors ? ['errors'] : []), 'message'])
  expect(body.code, what).toMatch(/^[a-z]+(_[a-z]+)*$/)
}

function cookieOf(who: Person): string {
  return [...who.cookies].map((pair) => pair.join('=')).join('; ')
}

/** Sends `content-length: 0` with a content type, which fetch cannot do. */
export function emptyRequest(who: Person, method: string, path: string, type: string | undefined) {
  return new Promise<{ status: number; message: string | undefined }>((resolve, reject) => {
    const headers = { cookie: cookieOf(who), 'content-length': '0', ...(type && { 'content-type': type }) }
    const request = http.request(who.origin + path, { method, headers }, (response) => {
      let text = ''
      response.on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, message: JSON.parse(text).message }))
    })
    request.on('error', reject).end()
  })
}

/** Sends headers and part of a body without ending it, and returns the status. */
export function openRequest(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  pieces: string[],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(origin + path, { method, headers, agent: false })
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    request.on('error', reject)
    request.flushHeaders()
    for (const piece of pieces) request.write(piece)
  })
}
