import { expect, test } from 'vitest'
import { oneAtATime } from './webhooks.ts'

test('a thousand concurrent calls are two runs, the second starting after all of them arrived', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const started: number[] = []
  let calls = 0
  const run = oneAtATime(async () => {
    started.push(calls)
    await gates[started.length - 1]?.promise
  })
  const responses = Array.from({ length: 1000 }, () => {
    calls += 1
    return run('pi_1')
  })
  for (const gate of gates) gate.resolve()
  await Promise.all(responses)
  expect(started).toEqual([1, 1000])
})

test('a failed run rejects for its callers, and the next one still starts', async () => {
  let runs = 0
  const run = oneAtATime(async () => {
    runs += 1
    if (runs === 1) throw new Error('the provider is away')
  })
  const [first, second] = [run('pi_1'), run('pi_1')]
  await expect(first).rejects.toThrow('away')
  await second
  await run('pi_1')
  expect(runs).toBe(3)
})

test('different payments do not wait for each other', async () => {
  const gate = Promise.withResolvers<void>()
  const run = oneAtATime((key) => (key === 'slow' ? gate.promise : Promise.resolve()))
  const slow = run('slow')
  await run('fast')
  gate.resolve()
  await slow
})
