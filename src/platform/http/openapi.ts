import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
  ResponseSerializationError,
} from 'fastify-type-provider-zod'
import { type ZodType, z } from 'zod'
import { InvalidRequest } from './errors.ts'
import { type Http, requireAudience } from './serve.ts'

/** Fields that a response converts describe themselves (`InstantText`). */
const DESCRIBED = { zodToJsonConfig: { unrepresentable: 'any' } } as const
const jsonSchemaTransform = createJsonSchemaTransform(DESCRIBED)
const jsonSchemaTransformObject = createJsonSchemaTransformObject(DESCRIBED)

/** Describes the API as OpenAPI 3.1, from the contracts. Must be registered before the routes it describes. */
export async function describeApi(app: FastifyInstance, { title, appUrl }: { title: string; appUrl: string }) {
  const cookieName = appUrl.startsWith('https:') ? '__Host-session' : 'session'
  await app.register(swagger, {
    // Contract entries have tags. Routes without (the sandbox, the webhook, pages) are not part of the API.
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title,
        version: '1.0.0',
        description:
          'Everything the site does. Sign in with POST /api/login; the session is kept in a cookie. Failures are `{ "code": "…", "message": "…" }`: a code for programs, which never changes, and a sentence a member can read; validation failures add `errors`.',
      },
      servers: [{ url: appUrl }],
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } } },
      tags: [
        { name: 'public', description: 'Anyone can call' },
        { name: 'member', description: 'Signed-in members' },
        { name: 'teacher', description: 'Teachers and admins' },
        { name: 'admin', description: 'Admins only' },
      ],
    },
    transform: jsonSchemaTransform,
    transformObject: (documents) => withoutUnused(jsonSchemaTransformObject(documents)),
  })
}

type Transformed = ReturnType<typeof jsonSchemaTransformObject>

/** Removes schemas that no path refers to: each is described twice, as input and as output. */
function withoutUnused(description: Transformed): Transformed {
  const schemas: Record<string, unknown> = ('components' in description && description.components?.schemas) || {}
  const used = new Set<string>()
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name])
    }
  }
  visit(description.paths)
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name]
  return description
}

/**
 * Serves the description at `/api/openapi.json` and a page to read it at `/api/docs`.
 *
 * @param options.who may read them, the page's own files included
 */
export async function serveApiDocs(
  { app, findCaller }: Http,
  { title, who }: { title: string; who: 'anyone' | 'admin' },
): Promise<void> {
  await app.register(async (guarded) => {
    guarded.addHook('onRequest', async (request) => {
      if (who === 'admin') requireAudience(who, await findCaller(request))
    })
    guarded.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
    await guarded.register(swaggerUi, {
      routePrefix: '/api/docs',
      staticCSP:
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      uiConfig: { docExpansion: 'list', tryItOutEnabled: false },
      theme: { title },
    })
  })
}

/** Checks requests and responses against the contract's schemas. */
export function applySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(validateBySchema)
  app.setSerializerCompiler(serializeBySchema)
}

/** zod's own messages are for programmers. Contracts give their own; this is for the rest. */
function invalidValue({ code, path = [] }: { code?: string | undefined; path?: PropertyKey[] | undefined }): string {
  if (path.length > 0) return `Enter a valid value for ${path.join('.')}`
  return code === 'invalid_type' ? 'Send a JSON object' : 'Check the values you sent'
}

const validateBySchema: FastifySchemaCompiler<ZodType> = ({ schema }) => {
  return (sent: unknown) => {
    const { success, data, error } = z.safeParse(schema, sent, { error: invalidValue })
    return success ? { value: data } : { error: new InvalidRequest(error) }
  }
}

/**
 * Serialises a response by its schema, without fields that it does not name. Schemas convert instants and amounts and
 * change nothing else (every-endpoint/responses.test.ts). The library's own serializer would encode.
 *
 * @throws ResponseSerializationError when the response does not fit the schema
 */
const serializeBySchema: FastifySerializerCompiler<ZodType> = ({ schema, method, url }) => {
  return (response) => {
    const { success, data, error } = z.safeParse(schema, response)
    if (!success) throw new ResponseSerializationError(method, url, { cause: error })
    return JSON.stringify(data)
  }
}
