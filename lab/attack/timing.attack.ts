import { expect, test } from 'vitest'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

/** Pairs of requests, alternating in order, so that load affects both alike. */
const PAIRS = 150
/** Standard errors beyond which two kinds of responses count as distinguishable (1 in 3,500 by chance). */
const DISTINGUISHABLE = 3.5

/** The mean difference of the pairs in ms and in standard errors, without the outermost tenth. */
async function compareTimes(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<{ z: number; ms: number }> {
  const timed = async (send: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await send()
    return performance.now() - startedAt
  }
  for (let i = 0; i < 10; i++) await Promise.all([one(), other()])
  const differences: number[] = []
  for (let i = 0; i < PAIRS; i++) {
    if (i % 2) differences.push((await timed(one)) - (await timed(other)))
    else {
      const second = await timed(other)
      differences.push((await timed(one)) - second)
    }
  }
  const sorted = differences.sort((a, b) => a - b).slice(PAIRS / 20, -PAIRS / 20)
  const mean = sorted.reduce((sum, each) => sum + each, 0) / sorted.length
  const variance = sorted.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (sorted.length - 1)
  return { z: Math.abs(mean) / Math.sqrt(variance / sorted.length), ms: mean }
}

test('response times do not reveal whether an account exists', async () => {
  const studio = await openEmptyStudio()
  const visitor = studio.visitor()
  let nth = 0
  // Names alternate, so that no throttle is measured.
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => studio.member(`Member ${i}`)))
  const known = () => people[nth++ % people.length]?.email as string
  const unknown = () => `nobody-${nth++}@people.example`
  const requests = {
    'logging in': (name: string) => visitor.request('POST', '/api/login', { username: name, password: 'not-the-one' }),
    'requesting a password reset': (email: string) => visitor.request('POST', '/api/password-reset', { email }),
    'requesting another confirmation': (username: string) =>
      visitor.request('POST', '/api/verify-email/resend', { username }),
  }
  for (const [what, send] of Object.entries(requests)) {
    const { z, ms } = await compareTimes(
      () => send(known()),
      () => send(unknown()),
    )
    console.log(`${what}: a known name takes ${ms.toFixed(2)} ms longer, ${z.toFixed(1)} standard errors`)
    expect([what, z < DISTINGUISHABLE || Math.abs(ms) < 0.2]).toEqual([what, true])
  }
})
