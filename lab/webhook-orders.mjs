// npm run lab -- webhook-orders: sends a payment's events in every order, for every ending. All must end alike.
// Half of the endings run in each of two processes. `npm run test:slow` runs a sample.
import { script } from '../scripts/lib/project.mjs'
import { runTests } from './lib/vitest.mjs'

const words = ['src/payments/server/webhook-orders.slow.test.ts', '--testNamePattern', 'for every order of its events']

await script(async () => {
  const exitCodes = await Promise.all(['won', 'lost'].map((verdict) => runTests(words, { WEBHOOK_ORDERS: verdict })))
  return Math.max(...exitCodes)
})
