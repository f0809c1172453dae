import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type Endpoint, endpoint } from '#foundation/endpoint.ts'
import { httpWithoutDatabase } from './http-under-test.ts'
import { applySchemas } from './openapi.ts'
import { type Caller, serve } from './serve.ts'

const classes = (rest: Partial<Endpoint>) =>
  endpoint('GET /api/classes', {
    who: 'member',
    summary: 'Classes',
    query: z.object({ days: z.coerce.number().max(7).default(1) }),
    response: z.object({ days: z.number() }),
    ...rest,
  })

/** Reads the endpoint for a page of `caller`, whose last proof of identity is half an hour old. */
async function read(rest: Partial<Endpoint>, caller: Partial<Caller> | null, query: Record<string, string> = {}) {
  const app = fastify()
  onTestFinished(() => app.close())
  applySchemas(app)
  const http = httpWithoutDatabase(app)
  const listed = classes(rest)
  serve(http, listed, async ({ query }) => ({ ...Object(query), secret: 'not in the contract' }))
  const request = { caller: caller && { role: 'member', mustProve: (minutes: number) => minutes < 30, ...caller } }
  const found = await http.reads.get(listed.path)?.(request as FastifyRequest, {} as FastifyReply, query)
  return JSON.parse(String(found))
}

test('reads for a page what the contract allows', async () => {
  expect(await read({}, {}, { days: '7' })).toEqual({ days: 7 })
  expect(await read({ who: 'anyone' }, null)).toEqual({ days: 1 })
  expect(await read({ who: 'admin' }, { isAdmin: true })).toEqual({ days: 1 })
  expect(await read({ stepUpAfterMinutes: 60 }, {})).toEqual({ days: 1 })
})

test.each([
  ['without a session', {}, null, 'unauthorized'],
  ['for a member who is not an admin', { who: 'admin' }, {}, 'forbidden'],
  ['for a teacher who is not an admin', { who: 'admin' }, { isTeacher: true, role: 'teacher' }, 'forbidden'],
  ['for an admin without the second step', { who: 'admin' }, { role: 'admin' }, 'second_factor_missing'],
  ['for a member who must prove who they are', { stepUpAfterMinutes: 10 }, {}, 'step_up_required'],
] as const)('refuses a page %s', async (_, rest, caller, code) => {
  await expect(read(rest, caller)).rejects.toMatchObject({ code })
})

test('refuses a query that the contract does not allow', async () => {
  await expect(read({}, {}, { days: '8' })).rejects.toThrow(z.ZodError)
})
