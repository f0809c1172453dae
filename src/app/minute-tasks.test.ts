import { expect, test } from 'vitest'
import { type MinuteTask, runMinuteTasks } from './minute-tasks.ts'

test('runs every task in order, reports each that failed or took too long, and fails with their names', async () => {
  const done: string[] = []
  const errors: unknown[] = []
  const task = (name: string, work: MinuteTask = async () => void done.push(name)) => [name, work] as const
  const tasks = [
    task('first'),
    task('broken', async () => {
      throw new Error('no more rows')
    }),
    task('second'),
    task('endless', () => new Promise(() => {})),
    task('third'),
  ]
  const run = runMinuteTasks(tasks, 'a-job', { limitMs: 50, onError: (error) => errors.push(error) })
  await expect(run).rejects.toThrow('broken: no more rows; endless: no answer within 50 ms')
  expect(done).toEqual(['first', 'second', 'third'])
  expect(errors).toMatchObject([
    { message: 'broken failed and will run again in a minute', cause: { message: 'no more rows' } },
    { message: 'endless failed and will run again in a minute', cause: { message: 'no answer within 50 ms' } },
  ])
})
