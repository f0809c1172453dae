import { Worker } from 'node:worker_threads'
import { MAX_BUSY_TIMES } from '../rules.ts'
import type { CalendarReading } from './busy-times.ts'
import { CalendarUnread } from './fetch-calendar.ts'

const LIMIT_MS = 10_000
const MAX_MEGABYTES = 128

/**
 * The busy times of a calendar, read in a thread with limits of time and memory, so that a hostile file harms nothing.
 *
 * @throws {CalendarUnread}
 */
export function readBusyTimes(
  text: string,
  days: { from: string; to: string },
  { limitMs = LIMIT_MS }: { limitMs?: number } = {},
): Promise<CalendarReading> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./busy-times-thread.ts', import.meta.url), {
      workerData: { text, days },
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: 32 },
      execArgv: [],
      env: {},
      // Warnings of the parser may contain parts of the calendar.
      stdout: true,
      stderr: true,
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      settle()
      void thread.terminate()
    }
    const timer = setTimeout(() => end(() => reject(new CalendarUnread('too_slow'))), limitMs)
    thread.once('message', (reading: CalendarReading) =>
      end(() => (reading.times.length > MAX_BUSY_TIMES ? reject(new CalendarUnread('too_large')) : resolve(reading))),
    )
    thread.once('error', (error) => {
      const isOutOfMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      end(() => reject(new CalendarUnread(isOutOfMemory ? 'too_large' : 'not_a_calendar')))
    })
    thread.once('exit', () => end(() => reject(new CalendarUnread('not_a_calendar'))))
  })
}
