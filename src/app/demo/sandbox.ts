import type { Logger } from 'pino'
import type { Clock } from '#foundation/instants.ts'
import { WEBHOOK_PATH } from '#payments/contract.ts'
import type { openDatabase } from '#platform/database/database.ts'
import { type StripeSandbox, stripeSandbox } from '../../../stripe-sandbox/sandbox.ts'

export { makeTables as makeSandboxTables } from '../../../stripe-sandbox/store.ts'
export type { StripeSandbox }

/** The card provider's sandbox inside the site. Imported in demo mode only: live loads no file of it. */
export function demoSandbox(
  keys: { secretKey: string; publishableKey: string; webhookSecret: string },
  site: { pool: ReturnType<typeof openDatabase>['pool']; clock: Clock; log: Logger; origin: () => string },
): StripeSandbox {
  return stripeSandbox({
    pool: site.pool,
    now: () => new Date(site.clock.now().epochMilliseconds),
    webhookUrl: () => `${site.origin()}${WEBHOOK_PATH}`,
    webhookSecret: keys.webhookSecret,
    secretKey: keys.secretKey,
    publishableKey: keys.publishableKey,
    log: site.log,
  })
}
