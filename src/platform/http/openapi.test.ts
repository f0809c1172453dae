import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { commonRefusals, type RefusalDefinition } from '#foundation/refusal.ts'
import { endpoints } from '#testing/contracts.ts'
import { LIVE } from '#testing/live-settings.ts'
import { openEmptyStudio, shareStudio } from '#testing/studio-under-test.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test looks into a document of any shape
type Json = any
const story = shareStudio()
let document: Json
beforeAll(async () => {
  document = (await story.studio.visitor().request('GET', '/api/openapi.json')).body
})
const inBraces = (path: string) => path.replace(/:(\w+)/g, '{$1}')
const calls = [...endpoints].flatMap(([name, endpoint]) =>
  [endpoint.path, ...(endpoint.alias ?? [])].map((path) => [name, inBraces(path), endpoint] as const),
)

/** Every value under `key`, at any depth. */
function all(key: string, value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...all(key, inner)])
}

test('is OpenAPI 3.1 and public', async () => {
  const { status, headers, body } = await story.studio.visitor().request('GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  expect(body.openapi).toMatch(/^3\.1\.\d+$/)
  expect(body.info).toMatchObject({ title: expect.any(String), version: expect.any(String) })
  expect(Object.keys(body).every((key) => /^(openapi|info|components|paths|servers|tags)$/.test(key))).toBe(true)
  expect(body.servers).toEqual([{ url: story.studio.settings.appUrl }])
})

test('describes every contract entry under every path, and nothing else', async () => {
  const { paths } = document
  const described = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(calls.map(([, path, { method }]) => `${method} ${path}`).sort())
})

test.each(calls)('%s at %s: parameters, body, responses and refusals', async (_, path, endpoint) => {
  const { paths } = document
  const operation = paths[path][endpoint.method.toLowerCase()]
  expect(operation.summary).toBe(endpoint.summary)

  const parameters: Json[] = operation.parameters ?? []
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  expect(inPath.every(({ required, schema }) => required === true && ['integer', 'string'].includes(schema.type))).toBe(
    true,
  )
  const query = endpoint.query ? Object.keys((endpoint.query as z.ZodObject).shape) : []
  expect(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)).toEqual(query)

  const fieldsOf = ({ properties, anyOf, oneOf }: Json): Json[] =>
    properties ? [Object.keys(properties).sort()] : (anyOf ?? oneOf).flatMap(fieldsOf)
  const sent = operation.requestBody?.content['application/json'].schema
  expect(sent && fieldsOf(sent)).toEqual(endpoint.body && alternativesOf(endpoint.body as z.ZodType))

  const refusals = [
    ...(endpoint.refusals ?? []),
    ...(endpoint.who === 'anyone' ? [] : [commonRefusals.unauthorized]),
    ...(endpoint.who === 'admin' ? [commonRefusals.forbidden] : []),
    ...(endpoint.method === 'GET' ? [] : [commonRefusals.cross_site_request]),
  ]
  for (const { code, status, message } of refusals) {
    expect(operation.responses[status]?.description).toContain(`\`${code}\`: ${message}`)
    expect(operation.responses[status].content['application/json'].schema.properties.code.enum).toContain(code)
  }
  const response = operation.responses[endpoint.status ?? 200].content[endpoint.file ?? 'application/json']
  expect(response.schema).toBeTypeOf('object')
  if (endpoint.repeats) expect(operation.responses[200]).toBeDefined()
  expect(operation.security).toEqual(endpoint.who === 'anyone' ? undefined : [{ session: [] }])
})

/** The fields of a body, of each alternative if it is a union. */
function alternativesOf(body: z.ZodType): string[][] {
  if (body instanceof z.ZodUnion) return body.options.flatMap((option) => alternativesOf(option as z.ZodType))
  return [Object.keys((body as z.ZodObject).shape).sort()]
}

describe('as a document', () => {
  test('refers only to what it contains', async () => {
    const references: string[] = all('$ref', document)
    expect(references.length).toBeGreaterThan(20)
    for (const reference of new Set(references)) {
      const [hash, ...steps] = reference.split('/')
      expect([hash, steps.reduce((value, step) => value?.[step], document) === undefined]).toEqual(['#', false])
    }
    const tags = document.tags.map(({ name }: Json) => name)
    for (const used of new Set(all('tags', document.paths).flat())) expect(tags).toContain(used)
    const used = new Set(references.map((reference) => reference.split('/').at(-1)))
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(name))).toEqual([])
  })

  test('describes every response with a valid schema', async () => {
    const { paths, components } = document
    for (const responses of all('responses', paths)) {
      for (const [status, response] of Object.entries<Json>(responses)) {
        expect(status).toMatch(/^[2-5]\d\d$/)
        expect(response.description).toMatch(/\w/)
        expect(response.description).not.toBe('Default Response')
      }
    }
    const types = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
    for (const type of all('type', { ...components.schemas, paths }).flat()) {
      if (typeof type === 'string') expect(types).toContain(type)
    }
    for (const required of all('required', components.schemas)) expect(Array.isArray(required)).toBe(true)
    // `nullable` and boolean limits were OpenAPI 3.0.
    expect(all('nullable', { paths, components })).toEqual([])
    for (const key of ['exclusiveMinimum', 'exclusiveMaximum']) {
      expect(all(key, { paths, components }).filter((value) => typeof value === 'boolean')).toEqual([])
    }
  })

  test('matches the API’s responses', async () => {
    await story.studio.createPackage()
    await story.studio.createClass('Tuesday 18:00')
    for (const path of ['/api/packages', '/api/classes', '/api/admin/users', '/api/auth/user', '/api/user/passes']) {
      const schema = document.paths[path].get.responses[200].content['application/json'].schema
      const parsed = z.fromJSONSchema({
        ...schema,
        $defs: document.components.schemas,
        ...refsAsDefs(schema, document),
      })
      const { body } = await story.dora.request('GET', path)
      expect([path, parsed.safeParse(body).error]).toEqual([path, undefined])
      expect(parsed.safeParse([{ id: 'x' }]).success).toBe(false)
    }
  })
})

test('names the cookie as over HTTPS', async () => {
  const live = await openEmptyStudio({ env: LIVE })
  const { body } = await (await live.admin('Dora')).request('GET', '/api/openapi.json')
  expect(body.components.securitySchemes.session.name).toBe('__Host-session')
  expect(body.servers).toEqual([{ url: 'https://studio.example' }])
  expect(document.components.securitySchemes.session.name).toBe('session')
})

test.each(['/api/docs', '/api/docs/'])('%s has a policy that lets the page work, and no more', async (path) => {
  const visitor = story.studio.visitor()
  const { status, headers, body: html } = await visitor.request('GET', path)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe|unsafe-eval|https?:|\*/)

  // No inline script, none from elsewhere, and each exists.
  const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)]
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.map(([, , inline]) => inline.trim()).join('')).toBe('')
  expect(html).not.toMatch(/\son\w+=/)
  const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => new URL(link, `http://x${path}`))
  for (const { host, pathname } of linked) {
    expect(host).toBe('x')
    expect([pathname, (await visitor.request('GET', pathname)).status]).toEqual([pathname, 200])
  }
})

/** zod reads `$defs`; the document keeps its schemas under `components`. */
function refsAsDefs(schema: Json, document: Json): Json {
  const moved = (value: Json) => JSON.parse(JSON.stringify(value).replaceAll('#/components/schemas/', '#/$defs/'))
  return { ...moved(schema), $defs: moved(document.components.schemas) }
}

test('shows the description to admins only in live mode', async () => {
  const live = await openEmptyStudio({ env: LIVE })
  const [visitor, ana, dora] = [live.visitor(), await live.member('Ana'), await live.admin('Dora')]
  for (const path of ['/api/openapi.json', '/api/docs', '/api/docs/', '/api/docs/json', '/api/docs/static/index.css']) {
    expect([path, await visitor.request('GET', path)]).toEqual([path, toBe(commonRefusals.unauthorized)])
    expect([path, await ana.request('GET', path)]).toEqual([path, toBe(commonRefusals.forbidden)])
    expect([path, (await dora.request('GET', path)).status]).toEqual([path, 200])
  }
})
const toBe = ({ status, code, message }: RefusalDefinition) =>
  expect.objectContaining({ status, body: { code, message } })
