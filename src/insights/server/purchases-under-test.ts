import { activatePurchase, saveIntent } from '#payments/server/payments.ts'
import type { Person } from '#testing/person.ts'
import type { StudioUnderTest } from '#testing/studio-under-test.ts'

/** A purchase at the studio's present time, as if the provider had been paid. */
export async function buy(
  studio: StudioUnderTest,
  member: Person,
  bought: Awaited<ReturnType<StudioUnderTest['createPackage']>>,
) {
  const now = studio.clock.now()
  const id = `pi_${member.name}_${now}_${bought.id}`
  const paid = {
    status: 'succeeded',
    currency: 'gbp',
    amount_received: bought.pricePence,
    metadata: { userId: member.id, packageId: String(bought.id) },
  }
  await studio.server.database.transaction(async (tx) => {
    await saveIntent(tx, id, { userId: member.id, bought }, now)
    await activatePurchase(tx, id, paid, now)
  })
  return id
}
