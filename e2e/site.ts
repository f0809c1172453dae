import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { test as base, type Page } from '@playwright/test'
import pg from 'pg'
import { london } from '../src/testing/frozen-clock.ts'

/** When browser stories begin: a Monday morning, before its first class. */
export const MONDAY_MORNING = '2026-12-07 08:00'

export type Mail = { to: string; subject: string; text: string; html: string; attachments: string[] }

/** The studio's server process under test, demo data and frozen clock included. */
export class Site {
  readonly origin: string
  readonly pool: pg.Pool
  readonly #process: ChildProcess
  #now = MONDAY_MORNING

  private constructor(process: ChildProcess, origin: string, databaseUrl: string) {
    this.#process = process
    this.origin = origin
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  }

  static async open(): Promise<Site> {
    const server = process.env.BROWSER_TESTS_DATABASE_SERVER ?? ''
    const file = join(import.meta.dirname, '../src/testing/serve.ts')
    const child = fork(file, [server, MONDAY_MORNING], { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const { origin, databaseUrl } = await answerOf<{ origin: string; databaseUrl: string }>(child)
    return new Site(child, origin, databaseUrl)
  }

  async close(): Promise<void> {
    await this.pool.end()
    const gone = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.disconnect()
    await gone
  }

  /** Sets the server's clock and, where given, a page's: `2026-12-07 17:00`, London wall time. */
  async itIs(now: string, page?: Page): Promise<void> {
    this.#now = now
    const heard = answerOf(this.#process)
    this.#process.send({ now })
    await heard
    if (page) await holdClock(page, now)
  }

  get now(): string {
    return this.#now
  }

  /** Everything mailed to an address, the newest first; waits until there is a mail whose subject fits. */
  async mailTo(email: string, subject: RegExp): Promise<Mail> {
    for (;;) {
      const all = (await (await fetch(`${this.origin}/dev/mailbox.json`)).json()) as Mail[]
      const found = all.find((mail) => mail.to === email && subject.test(mail.subject))
      if (found) return found
      // The test's own time limit ends this; the server answers as fast as it can.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Answer))
    child.once('exit', (code) => reject(new Error(`the server under test ended with ${code}`)))
  })
}

/** Freezes a page's `Date` at a London wall time; timers go on. */
async function holdClock(page: Page, now: string): Promise<void> {
  await page.clock.setFixedTime(new Date(london(now).epochMilliseconds))
}

let counter = 0
/** An address nobody has used yet. */
export function newEmail(name: string): string {
  counter += 1
  return `${name}${process.env.TEST_WORKER_INDEX ?? ''}-${counter}-${Date.now().toString(36)}@people.example`
}

/** Tests get the site's address as base URL and a page whose clock stands where the server's does. */
export const test = base.extend<{ frozenPage: undefined }, { site: Site }>({
  site: [
    async ({ browserName: _anyBrowser }, use) => {
      const site = await Site.open()
      await use(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  frozenPage: [
    async ({ page, site }, use) => {
      await site.itIs(MONDAY_MORNING, page)
      await use(undefined)
    },
    { auto: true },
  ],
})
export { expect } from '@playwright/test'
