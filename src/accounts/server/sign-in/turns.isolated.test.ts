import { availableParallelism } from 'node:os'
import { expect, test, vi } from 'vitest'
import { commonRefusals } from '#foundation/refusal.ts'
import { passwordFits, queueForHashing } from './passwords.ts'

/** Password checks that start when a turn is free, and end when the test lets them. */
const argon2 = vi.hoisted(() => ({ doors: [] as (() => void)[] }))
vi.mock('@node-rs/argon2', () => ({
  hash: async () => 'a hash',
  verify: () => new Promise<boolean>((open) => argon2.doors.push(() => open(true))),
}))

test('checks a few passwords concurrently, queues some, and refuses the rest immediately', async () => {
  const atOnce = Math.min(availableParallelism(), 3)
  const room = Math.max(50, 30 * atOnce)
  const checkPassword = () => queueForHashing(() => passwordFits('a hash', 'secret'))
  const letIn = Array.from({ length: room }, checkPassword)
  await vi.waitFor(() => expect(argon2.doors).toHaveLength(atOnce))
  await expect(checkPassword()).rejects.toMatchObject(commonRefusals.unavailable)
  for (let opened = 0; opened < room; opened++) {
    await vi.waitFor(() => expect(argon2.doors.length).toBeGreaterThan(opened))
    expect(argon2.doors.length - opened).toBeLessThanOrEqual(atOnce)
    argon2.doors[opened]?.()
  }
  expect(await Promise.all(letIn)).toEqual(Array(room).fill(true))
  const again = checkPassword()
  await vi.waitFor(() => expect(argon2.doors).toHaveLength(room + 1))
  argon2.doors.at(-1)?.()
  expect(await again).toBe(true)
})
