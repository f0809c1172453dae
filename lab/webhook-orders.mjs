// npm run lab -- webhook-orders: sends a payment's events in every order, for every ending. All must end alike.
// Half of the endings run in each of two processes. `npm run test:slow` runs a sample.
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { inProject, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

const FILE = 'src/payments/server/webhook-orders.slow.test.ts'

await script(async () => {
  const node = await ensureInstalled()
  const exitCodes = await Promise.all(
    ['won', 'lost'].map((verdict) => {
      const env = environment(node, { WEBHOOK_ORDERS: verdict })
      const options = ['--testNamePattern', 'for every order of its events', '--disable-console-intercept']
      return run(node, [inProject('node_modules/vitest/vitest.mjs'), 'run', FILE, ...options], { env })
    }),
  )
  return Math.max(...exitCodes)
})
