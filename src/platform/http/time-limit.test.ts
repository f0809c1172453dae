import { setTimeout as pause } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#foundation/endpoint.ts'
import { handleErrors } from './errors.ts'
import { httpWithoutDatabase } from './http-under-test.ts'
import { applySchemas } from './openapi.ts'
import { serve } from './serve.ts'
import { limitResponses } from './time-limit.ts'

const LIMIT_MS = 50
const classes = endpoint('GET /api/classes', {
  who: 'anyone',
  summary: 'Classes',
  response: z.array(z.string()),
})

test('sends a response that was ready in time once, however long sending takes', async () => {
  const app = fastify()
  onTestFinished(() => app.close())
  applySchemas(app)
  app.decorateRequest('caller', null)
  handleErrors(app)
  limitResponses(app, { responseMs: LIMIT_MS, exportMs: LIMIT_MS })
  const sent: unknown[] = []
  // Like compression, and longer than the time left.
  app.addHook('onSend', async (_request, _reply, payload) => {
    sent.push(payload)
    await pause(LIMIT_MS + 1)
  })
  serve(httpWithoutDatabase(app), classes, async () => ['Duo'])
  const response = await app.inject(classes.path)
  expect([response.statusCode, sent]).toEqual([200, ['["Duo"]']])
})
