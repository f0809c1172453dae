import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import setup from '#testing/global-setup.ts'
import { AUTUMN_MORNING, MONDAY_MORNING } from './site.ts'

/** Starts one PostgreSQL for all browser tests, with a demo studio for each starting time. Each server copies one. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const created = { databaseServer: '', clusterTemplate: '', studios: '' }
  const tearDown = await setup({
    provide: (key, value) => {
      created[key] = value
    },
  })
  const demo = await mkdtemp(join(created.studios, 'demo-'))
  await Promise.all([MONDAY_MORNING, AUTUMN_MORNING].map((now) => loadDemo(created.databaseServer, demo, now)))
  process.env.BROWSER_TESTS_DATABASE_SERVER = created.databaseServer
  process.env.BROWSER_TESTS_DEMO = demo
  return tearDown
}

async function loadDemo(...args: [server: string, folder: string, now: string]): Promise<void> {
  const child = fork(join(import.meta.dirname, '../src/testing/demo-template.ts'), args, { execArgv: [] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the demo studio of ${args[2]} could not be loaded`)
}
