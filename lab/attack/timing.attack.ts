import { expect, test } from 'vitest'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

/** Pairs of questions; each pair is asked in both orders in turn, so that a busy moment meets both. */
const PAIRS = 150
/** Beyond this many standard errors two kinds of answers can be told apart by their time: one in 3,500 by chance. */
const TELLABLE = 3.5

/** How far apart two kinds of answers are, in standard errors of the mean of the pairs' differences, without the wildest tenth. */
async function apart(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<{ z: number; ms: number }> {
  const timed = async (ask: () => Promise<unknown>) => {
    const begun = performance.now()
    await ask()
    return performance.now() - begun
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

test('nobody learns from the time of an answer whether an account exists', async () => {
  const studio = await openEmptyStudio()
  const visitor = studio.visitor()
  let nth = 0
  // In the demo fifty failures are free for each pair: names change, so that no wait is measured.
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => studio.member(`Member ${i}`)))
  const known = () => people[nth++ % people.length]?.email as string
  const unknown = () => `nobody-${nth++}@people.example`
  const asks = {
    'logging in': (name: string) => visitor.request('POST', '/api/login', { username: name, password: 'not-the-one' }),
    'asking for a new password': (email: string) => visitor.request('POST', '/api/password-reset', { email }),
    'asking for the confirmation again': (username: string) =>
      visitor.request('POST', '/api/verify-email/resend', { username }),
  }
  for (const [what, ask] of Object.entries(asks)) {
    const { z, ms } = await apart(
      () => ask(known()),
      () => ask(unknown()),
    )
    console.log(`${what}: a known name takes ${ms.toFixed(2)} ms longer, ${z.toFixed(1)} standard errors`)
    expect([what, z < TELLABLE || Math.abs(ms) < 0.2]).toEqual([what, true])
  }
})
