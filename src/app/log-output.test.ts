import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

const LINES = `import { studioLog } from './src/app/log.ts'
  const log = studioLog('info')
  for (let line = 0; line < 20_000; line++) log.info({ line }, 'a line of some length, so that more waits than may')
  console.error('goes on')`

test('keeps serving when the disk for the log is full', async () => {
  // Opened for reading: every write to it fails.
  const closed = await open(import.meta.filename, 'r')
  onTestFinished(() => closed.close())
  const child = spawn(process.execPath, ['--input-type=module', '--eval', LINES], {
    stdio: ['ignore', closed.fd, 'pipe'],
  })
  if (!child.stderr) throw new Error('it has no stderr')
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect({ output, code }).toEqual({ output: 'goes on\n', code: 0 })
})
