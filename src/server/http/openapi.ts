import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { studio } from '../../studio.ts'

/** Describes the API as OpenAPI 3.1, out of the contracts. Must be registered before the routes it describes. */
export async function describeApi(app: FastifyInstance, appUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${studio.name}: the studio's API`,
        version: '1.0.0',
        description:
          'Everything the site does. Sign in with POST /api/login; the session travels in a cookie. Failures are `{ "message": "…" }` with a sentence a member can read; validation failures add `errors`.',
      },
      servers: [{ url: appUrl }],
      components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } } },
      tags: [
        { name: 'public', description: 'Anyone may call' },
        { name: 'member', description: 'Signed-in members' },
        { name: 'admin', description: 'Admins only' },
      ],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
}

/** Serves the description at `/api/openapi.json` and a page to read it at `/api/docs`. */
export async function serveApiDocs(app: FastifyInstance): Promise<void> {
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP:
      "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
    uiConfig: { docExpansion: 'list', tryItOutEnabled: false },
    theme: { title: `${studio.name}: API` },
  })
}
