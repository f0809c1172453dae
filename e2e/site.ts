import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test as base, expect, type Page } from '@playwright/test'
import pg from 'pg'
import { london } from '#testing/frozen-clock.ts'
import { Person } from '#testing/person.ts'
import { checkResponses } from './responses.ts'

type SiteOptions = { databaseOf?: Site; refreshMs?: number; settings?: Record<string, string> }

/** When tests start, before the first class of the day. */
export const MONDAY_MORNING = '2026-12-07 08:00'
export const AUTUMN_MORNING = '2026-10-20 09:00'

/** `{ at: '2026-12-10 10:00' }` is a duo of 45 minutes. */
export type ClassOptions = { at: string; ends?: string; places?: 1 | 2; title?: string }

/** For `test.use` in tests of animations. All other tests run with reduced motion. */
export const WITH_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const

export type Mail = { to: string; subject: string; text: string; html: string; attachments: string[] }

/** A server process with the demo studio and a frozen clock. */
export class Site {
  readonly origin: string
  readonly pool: pg.Pool
  readonly #process: ChildProcess
  #now: string
  #admin: { person: Person; since: string } | undefined

  private constructor(process: ChildProcess, now: string, { origin, databaseUrl }: Address) {
    this.#process = process
    this.#now = now
    this.origin = origin
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  }

  /**
   * @param options.databaseOf another process of the same studio; by default the site gets a new database
   * @param options.refreshMs how often the process looks for changes by another one
   * @param options.settings overrides of the demo's settings
   */
  static async open(now: string, { databaseOf, refreshMs, settings = {} }: SiteOptions = {}): Promise<Site> {
    const { BROWSER_TESTS_DATABASE_SERVER: server = '', BROWSER_TESTS_DEMO: demo = '' } = process.env
    const file = join(import.meta.dirname, '../src/testing/serve.ts')
    const shared = databaseOf?.pool.options.connectionString ?? ''
    const child = fork(file, [server, demo, now, String(refreshMs ?? ''), shared], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, SITE_SETTINGS: JSON.stringify(settings) },
    })
    return new Site(child, now, await nextMessage<Address>(child))
  }

  /** Closes this site and opens a new one in its process. */
  async reopen(now: string): Promise<Site> {
    await this.pool.end()
    return new Site(this.#process, now, await this.#send('reopen', now))
  }

  async close(): Promise<void> {
    await this.pool.end()
    const exited = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.disconnect()
    await exited
  }

  /** Sets the clock of the server and of a page to a London wall time: `2026-12-07 17:00`. */
  async travelTo(now: string, page?: Page): Promise<void> {
    this.#now = now
    await this.#send('travel', now)
    if (page) await freezeClock(page, now)
  }

  get now(): string {
    return this.#now
  }

  /** Makes members' cancellations final: waiting lists have been offered the places, emails are queued. */
  async endUndo(): Promise<void> {
    await this.pool.query("update undoable_cancellations set cancelled_at = cancelled_at - interval '12 seconds'")
    await this.#send('end-undo')
  }

  /** Waits until the server has done it. */
  async #send(type: 'travel' | 'end-undo' | 'reopen', now = this.#now): Promise<Address> {
    const confirmed = nextMessage<Address>(this.#process)
    this.#process.send({ type, now })
    return await confirmed
  }

  /** The owner, logged in again whenever the clock has changed. */
  async admin(): Promise<Person> {
    if (this.#admin?.since !== this.#now) {
      const person = new Person(this.origin, 'Admin')
      await callApi(person, 'POST', '/api/login', { username: 'admin@studio.example', password: 'studio-admin' })
      this.#admin = { person, since: this.#now }
    }
    return this.#admin.person
  }

  async member(options: { firstName?: string; lastName?: string; health?: boolean; credits?: number } = {}) {
    const { firstName = 'Mia', lastName = 'Stranger', health = false, credits = 0 } = options
    const person = new Person(this.origin, uniqueName('member'))
    const { email, password } = person
    const { user } = await callApi(person, 'POST', '/api/register', { email, password, firstName, lastName })
    person.id = user.id
    if (health) await completeHealthFor(person)
    if (credits) await this.grantCredits(person, credits)
    return person
  }

  /** Gifts credits of the 8 Class Pass. */
  async grantCredits(person: Person, credits: number, expiryMonths = 12): Promise<void> {
    const admin = await this.admin()
    const packages: { id: number; classCount: number }[] = await callApi(admin, 'GET', '/api/packages')
    const packageId = packages.find((offered) => offered.classCount === 8)?.id
    const body = { packageId, creditsToGift: credits, expiryMonths, userId: person.id }
    await callApi(admin, 'POST', `/api/admin/users/${person.id}/gift-credits`, body)
  }

  /** Creates a class, by default with a unique title. */
  async class({ at, ends, places = 2, title = uniqueName('Reformer') }: ClassOptions) {
    const [date = '', startTime = ''] = at.split(' ')
    const endTime = ends ?? Temporal.PlainTime.from(startTime).add({ minutes: 45 }).toString().slice(0, 5)
    const body = { title, date, startTime, endTime, maxParticipants: places }
    const created: { id: number } = await callApi(await this.admin(), 'POST', '/api/classes', body)
    return { id: created.id, title, date, startTime, endTime }
  }

  async book(person: Person, { id }: { id: number }): Promise<number> {
    return (await callApi(person, 'POST', '/api/bookings', { classId: id })).id
  }

  /** Waits for an email and returns the newest one that matches. */
  async mailTo(email: string, subject: RegExp): Promise<Mail> {
    for (;;) {
      const all = (await (await fetch(`${this.origin}/dev/mailbox.json`)).json()) as Mail[]
      const found = all.find((mail) => mail.to === email && subject.test(mail.subject))
      if (found) return found
      await pause(50)
    }
  }
}

type Address = { origin: string; databaseUrl: string }

/** Makes a request and throws unless it succeeds. */
export async function callApi(person: Person, method: string, path: string, body?: unknown) {
  const response = await person.request(method, path, body)
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}

export async function completeHealthFor(person: Person): Promise<void> {
  await callApi(person, 'POST', '/api/health/questionnaire', { allergies: 'None that I know of' })
  const contact = { contactName: 'Sam Stranger', relationship: 'Partner', phoneNumber: '01632 960199' }
  await callApi(person, 'POST', '/api/health/emergency-contact', contact)
}

/** Copies a person's session into the page's browser. */
export async function signIn(page: Page, person: Person): Promise<void> {
  const url = new URL(person.origin)
  await page
    .context()
    .addCookies(
      [...person.cookies].map(([name, value]) => ({ name, value, url: url.origin, httpOnly: name === 'session' })),
    )
}

export async function signInAgain(page: Page, person: Person): Promise<void> {
  await callApi(person, 'POST', '/api/login', { username: person.email, password: person.password })
  await signIn(page, person)
}

function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the server under test exited with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Message)
    })
  })
}

/** Freezes a page's `Date` at a London wall time. Timers keep running. */
export async function freezeClock(page: Page, now: string): Promise<void> {
  await page.clock.setFixedTime(new Date(london(now).epochMilliseconds))
}

let counter = 0
/** Screenshots that are compared need the same names in every run (`STEADY_NAMES`). */
function uniqueName(name: string): string {
  counter += 1
  if (process.env.STEADY_NAMES) return `${name} ${counter}`
  return `${name} ${process.env.TEST_WORKER_INDEX ?? ''}-${counter}-${Date.now().toString(36)}`.replace(' -', ' ')
}

export function newEmail(name: string): string {
  return `${uniqueName(name).replaceAll(' ', '.')}@people.example`
}

type Options = { opensAt: string; siteOfFile: (file: string) => Promise<Site> }

/**
 * Each file has its own site, which its tests share in order; a worker opens its sites in one process. Each page has
 * the same clock as the server. `opensAt` starts a site at another time.
 */
export const test = base.extend<{ siteClock: undefined; site: Site }, Options>({
  opensAt: [MONDAY_MORNING, { scope: 'worker', option: true }],
  siteOfFile: [
    async ({ opensAt }, use) => {
      let current: { file: string; site: Site } | undefined
      await use(async (file) => {
        if (current?.file === file) return current.site
        current = { file, site: await (current?.site.reopen(opensAt) ?? Site.open(opensAt)) }
        return current.site
      })
      await current?.site.close()
    },
    { scope: 'worker' },
  ],
  site: async ({ siteOfFile }, use, { file }) => use(await siteOfFile(file)),
  baseURL: async ({ site }, use) => use(site.origin),
  siteClock: [
    async ({ site, opensAt }, use) => {
      if (site.now !== opensAt) await site.travelTo(opensAt)
      await use(undefined)
    },
    { auto: true },
  ],
  page: async ({ page, opensAt }, use) => {
    await freezeClock(page, opensAt)
    waitForClosingDialogs(page)
    const mismatches = checkResponses(page)
    await use(page)
    expect(await mismatches(), 'responses that do not match their contract').toEqual([])
  },
})

/**
 * A closing dialog goes back in the history, which aborts a navigation started at the same moment. Waits for the dialog
 * before each navigation, and repeats a navigation that was aborted.
 */
function waitForClosingDialogs(page: Page): void {
  const { goto, reload } = page
  const navigate = async <Result>(visit: () => Promise<Result>): Promise<Result> => {
    const dialogClosed = () =>
      page.waitForFunction(() => {
        const dialog = document.querySelector('[role=dialog]')
        return dialog ? !dialog.querySelector('[aria-busy=true]') : !history.state?.usr?.open
      })
    await dialogClosed()
    try {
      return await visit()
    } catch (error) {
      if (!String(error).includes('net::ERR_ABORTED')) throw error
      await dialogClosed()
      return await visit()
    }
  }
  page.goto = (...to) => navigate(() => goto.apply(page, to))
  page.reload = (...options) => navigate(() => reload.apply(page, options))
}

export { expect } from '@playwright/test'
