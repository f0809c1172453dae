import Fastify from 'fastify'
import { fillWithMembers, type SignedIn } from '../lib/fill.ts'
import { type LiveSite, startLiveSite } from '../lib/live-site.ts'
import { startOwnPostgres } from '../lib/own-postgres.ts'

const MEMBERS = 300
/** Longest delay of the card provider, beyond every limit. */
const SLOWEST_MS = 20_000

export type ThreeSites = {
  databaseUrl: string
  origins: readonly string[]
  members: readonly SignedIn[]
  /** Classes for two that nobody has booked. */
  classIds: number[]
  close(): Promise<void>
}

/** Starts three live processes on one database, and a slow card provider for which every payment has succeeded. */
export async function openThreeSites(): Promise<ThreeSites> {
  const postgres = await startOwnPostgres()
  const provider = await slowProvider()
  const sites: LiveSite[] = []
  const close = async () => {
    await Promise.all(sites.map((site) => site.stop()))
    await provider.close()
    await postgres.stop()
  }
  try {
    const databaseUrl = await postgres.database('ladder')
    const { secrets, members, classIds } = await fillWithMembers(databaseUrl, { members: MEMBERS, days: 1, aDay: 10 })
    for (const name of ['first', 'second', 'third']) {
      const env = {
        STRIPE_SECRET_KEY: 'sk_test_slow',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_slow',
        STRIPE_WEBHOOK_SECRET: 'whsec_slow',
        STRIPE_API_URL: provider.origin,
      }
      sites.push(await startLiveSite({ name, databaseUrl, folder: postgres.folder, secrets, env }))
    }
    return { databaseUrl, origins: sites.map(({ origin }) => origin), members, classIds, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A payment's id is `pi_<member>_<package>_<pence>`, which has all that is returned. */
async function slowProvider() {
  const app = Fastify({ forceCloseConnections: true })
  app.get<{ Params: { id: string } }>('/v1/payment_intents/:id', async (request) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SLOWEST_MS))
    const { id } = request.params
    const [, userId = '', packageId = '', pence = ''] = id.split('_')
    return {
      id,
      object: 'payment_intent',
      status: 'succeeded',
      amount: Number(pence),
      amount_received: Number(pence),
      currency: 'gbp',
      metadata: { userId, packageId },
    }
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin, close: () => app.close() }
}
