import { afterEach, expect, test } from 'vitest'
import { emptyStudio, expectRulesKept, statementsOf } from './demo-under-test.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Clock changes, a new year, a leap day, and other days that are easy to get wrong. */
const oddMoments = [
  '2026-03-29 01:30',
  '2026-10-25 23:59',
  '2027-01-01 00:00',
  '2028-02-29 06:59',
  '2026-11-02 00:10',
  '2026-11-09 07:20',
  '2026-11-22 09:40',
]
test.each(oddMoments)(
  'opened at %s it loads soon, and its member has two classes ahead',
  { timeout: 120_000 },
  async (now) => {
    const demo = await emptyStudio(now, cleanups)
    // A few seconds' worth, whatever the time of year.
    const statements = await statementsOf(demo.load)
    expect(statements).toBeGreaterThan(1000)
    expect(statements).toBeLessThan(3500)
    await expectRulesKept(demo)
    const member = `from bookings b join classes c on c.id = b.class_id join users u on u.id = b.user_id
    where u.email = 'member@studio.example'`
    expect(
      await demo.count(`select count(*) ${member} and status = 'confirmed' and starts_at > '${demo.clock.now()}'`),
    ).toBe(2)
    expect(await demo.count(`select count(*) ${member} and status = 'completed'`)).toBe(3)
  },
)
