import { expect, test } from 'vitest'
import { openMetrics } from './metrics.ts'

const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

test('omits a gauge that cannot be read in time, without delaying the others', async () => {
  const metrics = openMetrics({ limitMs: 20 })
  const reads = [
    () => [{ value: 7 }],
    () => Promise.reject(new Error('gone')),
    () => new Promise<never>(() => {}),
    () => [{ value: 0 }],
  ]
  let turn = 0
  metrics.gauge({ name: 'age', help: 'an age' }, () => reads[turn++]?.() ?? [])
  metrics.gauge({ name: 'other', help: 'another' }, () => [{ value: 1 }])
  const lines: string[][] = []
  for (const _ of reads) {
    const text = await metrics.text()
    expect(linesOf(text, 'other ')).toEqual(['other 1'])
    lines.push([...linesOf(text, 'age '), ...linesOf(text, 'studio_metrics_unread_total{metric="age"}')])
  }
  const unread = (times: number) => `studio_metrics_unread_total{metric="age"} ${times}`
  expect(lines).toEqual([['age 7', unread(0)], [unread(1)], [unread(2)], ['age 0', unread(2)]])
})

test('shares one reading among concurrent scrapes', async () => {
  const metrics = openMetrics({ limitMs: 1000 })
  let reads = 0
  metrics.gauge({ name: 'age', help: 'an age' }, () => [{ value: ++reads }])
  const responses = await Promise.all([metrics.text(), metrics.text()])
  expect(responses[0]).toBe(responses[1])
  expect(linesOf(await metrics.text(), 'age ')).toEqual(['age 2'])
})
