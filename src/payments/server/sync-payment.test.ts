import { expect, test } from 'vitest'
import { activatePurchase } from './activate-purchase.ts'
import { openStudioWithBank, startPayment } from './bank-under-test.ts'
import type { Provider } from './provider.ts'
import { syncPayment } from './sync-payment.ts'

test("reads again what was bought during the provider's call: the pass is locked before the payment", async () => {
  const { studio, bank, ana } = await openStudioWithBank()
  const { database, provider } = studio.server
  if (!provider) throw new Error('this studio takes cards')
  const started = await startPayment(ana, await studio.createPackage())
  const { paymentIntentId } = started.body
  await bank.pay(started)
  const paid = await provider.read(paymentIntentId, { full: false })
  if (!paid) throw new Error('the bank knows the payment')

  let reads = 0
  const counting: Provider = {
    ...provider,
    read(id, options) {
      reads += 1
      return provider.read(id, options)
    },
  }
  const now = studio.clock.now()
  let synced: Promise<void> | undefined
  await database.transaction(async (tx) => {
    await activatePurchase(tx, paymentIntentId, paid.intent, now)
    synced = syncPayment(database, counting, paymentIntentId, now, { full: true })
    const waiting = `wait_event_type = 'Lock' and datname = current_database()`
    await expect.poll(() => studio.count(`select count(*) from pg_stat_activity where ${waiting}`)).toBe(1)
  })
  await synced
  expect(reads).toBe(2)
  expect(await studio.creditsOf(ana)).toBe(18)
})
