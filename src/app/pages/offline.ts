import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { PublicFacts } from '#facts/contract.ts'
import { pagePolicy, WORKER_POLICY } from '#platform/http/security-headers.ts'
import { WrittenFile } from '#platform/http/written-file.ts'
import { OFFLINE_PAGE, SERVICE_WORKER } from '#site-map.ts'
import type { PagesBundle } from './bundle.ts'
import { FirstStyles } from './first-styles.ts'

type Options = {
  bundle: PagesBundle
  /** Names of the built files, which say what is in them: together they say which release this is. */
  assets: readonly string[]
  /** What the studio says of itself now. */
  facts: () => PublicFacts
}

/** Serves the page that browsers keep for when there is no connection, and the service worker that keeps it (decision 20). */
export function serveOffline(app: FastifyInstance, { bundle, assets, facts }: Options): void {
  const served = { schema: { hide: true }, compress: false } as const
  const styles = new FirstStyles()
  let drawn: { from: string; page: Promise<{ file: WrittenFile; policy: string }> } | undefined

  async function draw(now: PublicFacts) {
    const html = await styles.leaveUsed(bundle.offlinePage(now))
    return { file: new WrittenFile(html, 'text/html; charset=utf-8'), policy: pagePolicy(html, { stripe: false }) }
  }

  app.get(OFFLINE_PAGE, served, async (request, reply) => {
    const from = JSON.stringify(facts())
    if (drawn?.from !== from) drawn = { from, page: draw(facts()) }
    const { file, policy } = await drawn.page
    reply.headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' })
    return file.send(request, reply)
  })

  const release = createHash('sha256')
    .update([...assets].sort().join())
    .digest('base64url')
    .slice(0, 12)
  const worker = new WrittenFile(bundle.serviceWorker(release), 'text/javascript; charset=utf-8')
  app.get(SERVICE_WORKER, served, (request, reply) => {
    reply.header('content-security-policy', WORKER_POLICY)
    return worker.send(request, reply)
  })
}
