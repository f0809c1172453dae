import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { test as base, expect, type Page } from '@playwright/test'
import pg from 'pg'
import { london } from '#testing/frozen-clock.ts'
import { Person } from '#testing/person.ts'
import { checkReplies } from './replies.ts'

type SiteOptions = { beside?: Site; renewMs?: number; settings?: Record<string, string> }

/** When browser stories begin: a Monday morning, before its first class. */
export const MONDAY_MORNING = '2026-12-07 08:00'
/** When those begin that go over the change of the clocks, far ahead. */
export const AUTUMN_MORNING = '2026-10-20 09:00'

/** A class as a story wishes for it: `{ at: '2026-12-10 10:00' }` is a duo of 45 minutes. */
export type ClassWish = { at: string; ends?: string; places?: 1 | 2; title?: string }

/** For `test.use`: stories whose subject is what moves. All others ask for reduced motion, as the configuration says. */
export const MOVING = { contextOptions: { reducedMotion: 'no-preference' } } as const

export type Mail = { to: string; subject: string; text: string; html: string; attachments: string[] }

/** The studio's server process under test, demo data and frozen clock included. */
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
   * @param options.beside whose database is used, for a second process of the same studio; without it a new one
   * @param options.renewMs how soon its pages say what another process wrote, other than as usual
   * @param options.settings other than the demo's
   */
  static async open(now: string, { beside, renewMs, settings = {} }: SiteOptions = {}): Promise<Site> {
    const { BROWSER_TESTS_DATABASE_SERVER: server = '', BROWSER_TESTS_DEMO: demo = '' } = process.env
    const file = join(import.meta.dirname, '../src/testing/serve.ts')
    const shared = beside?.pool.options.connectionString ?? ''
    const child = fork(file, [server, demo, now, String(renewMs ?? ''), shared], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, SITE_SETTINGS: JSON.stringify(settings) },
    })
    return new Site(child, now, await answerOf<Address>(child))
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

  /** The demo studio's owner, logged in at the present moment (a session lasts thirty days). */
  async admin(): Promise<Person> {
    if (this.#admin?.since !== this.#now) {
      const person = new Person(this.origin, 'Admin')
      await succeed(person, 'POST', '/api/login', { username: 'admin@studio.example', password: 'studio-admin' })
      this.#admin = { person, since: this.#now }
    }
    return this.#admin.person
  }

  /** Somebody who has just signed up, over HTTP; on request with health information and a pass. */
  async member(has: { firstName?: string; lastName?: string; health?: boolean; credits?: number } = {}) {
    const { firstName = 'Mia', lastName = 'Stranger', health = false, credits = 0 } = has
    const person = new Person(this.origin, unused('member'))
    const { email, password } = person
    const { user } = await succeed(person, 'POST', '/api/register', { email, password, firstName, lastName })
    person.id = user.id
    if (health) await completeHealthOf(person)
    if (credits) await this.gives(person, credits)
    return person
  }

  /** Gives credits as the owner does; the pass is called after the package. */
  async gives(person: Person, credits: number, expiryMonths = 12): Promise<void> {
    const admin = await this.admin()
    const packages: { id: number; classCount: number }[] = await succeed(admin, 'GET', '/api/packages')
    const packageId = packages.find((sold) => sold.classCount === 8)?.id
    const body = { packageId, creditsToGift: credits, expiryMonths, userId: person.id }
    await succeed(admin, 'POST', `/api/admin/users/${person.id}/gift-credits`, body)
  }

  /** A class with a title of its own, unless wished otherwise. */
  async class({ at, ends, places = 2, title = unused('Reformer') }: ClassWish) {
    const [date = '', startTime = ''] = at.split(' ')
    const endTime = ends ?? Temporal.PlainTime.from(startTime).add({ minutes: 45 }).toString().slice(0, 5)
    const body = { title, date, startTime, endTime, maxParticipants: places }
    const made: { id: number } = await succeed(await this.admin(), 'POST', '/api/classes', body)
    return { id: made.id, title, date, startTime, endTime }
  }

  /** Books over HTTP. Answers the booking's id. */
  async books(person: Person, { id }: { id: number }): Promise<number> {
    return (await succeed(person, 'POST', '/api/bookings', { classId: id })).id
  }

  /** The newest mail to an address whose subject fits; waits until there is one. */
  async mailTo(email: string, subject: RegExp): Promise<Mail> {
    for (;;) {
      const all = (await (await fetch(`${this.origin}/dev/mailbox.json`)).json()) as Mail[]
      const found = all.find((mail) => mail.to === email && subject.test(mail.subject))
      if (found) return found
      // Queues look twice a second; asking without a break would take the processor from them. The test's limit ends this.
      await pause(50)
    }
  }
}

type Address = { origin: string; databaseUrl: string }

/** A call that a story takes for granted. */
export async function succeed(person: Person, method: string, path: string, body?: unknown) {
  const answer = await person.request(method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function completeHealthOf(person: Person): Promise<void> {
  await succeed(person, 'POST', '/api/health/questionnaire', { allergies: 'None that I know of' })
  const contact = { contactName: 'Sam Stranger', relationship: 'Partner', phoneNumber: '01632 960199' }
  await succeed(person, 'POST', '/api/health/emergency-contact', contact)
}

/** Signs a page's browser in as somebody, without the form. */
export async function signIn(page: Page, person: Person): Promise<void> {
  const url = new URL(person.origin)
  await page
    .context()
    .addCookies(
      [...person.cookies].map(([name, value]) => ({ name, value, url: url.origin, httpOnly: name === 'session' })),
    )
}

/** Logs in again, after the clock has moved past the session's thirty days, and takes the browser along. */
export async function signInAgain(page: Page, person: Person): Promise<void> {
  await succeed(person, 'POST', '/api/login', { username: person.email, password: person.password })
  await signIn(page, person)
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the server under test ended with ${code}`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as Answer)
    })
  })
}

/** Freezes a page's `Date` at a London wall time; timers go on. */
export async function holdClock(page: Page, now: string): Promise<void> {
  await page.clock.setFixedTime(new Date(london(now).epochMilliseconds))
}

let counter = 0
/** A name nobody has used yet; for pictures that are compared, the same in every run, which only a worker of its own can have. */
function unused(name: string): string {
  counter += 1
  if (process.env.STEADY_NAMES) return `${name} ${counter}`
  return `${name} ${process.env.TEST_WORKER_INDEX ?? ''}-${counter}-${Date.now().toString(36)}`.replace(' -', ' ')
}

/** An address nobody has used yet. */
export function newEmail(name: string): string {
  return `${unused(name).replaceAll(' ', '.')}@people.example`
}

/**
 * Tests get the site's address as base URL and a page whose clock stands where the server's does; who asks for no page
 * opens no browser window. A file that says `opensAt` has a server of its own, which begins there.
 */
export const test = base.extend<{ siteClock: undefined }, { site: Site; opensAt: string }>({
  opensAt: [MONDAY_MORNING, { scope: 'worker', option: true }],
  site: [
    async ({ opensAt }, use) => {
      const site = await Site.open(opensAt)
      await use(site)
      await site.close()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  siteClock: [
    async ({ site, opensAt }, use) => {
      if (site.now !== opensAt) await site.itIs(opensAt)
      await use(undefined)
    },
    { auto: true },
  ],
  page: async ({ page, opensAt }, use) => {
    await holdClock(page, opensAt)
    leavesWhenStepsAreTaken(page)
    const mismatches = checkReplies(page)
    await use(page)
    expect(await mismatches(), 'replies that do not match their contract').toEqual([])
  },
})

/**
 * A dialog that closes takes a step back in the history, and that ends a visit that has just begun: whoever leaves by the
 * address bar, so much quicker than a person, waits for it, also while what the dialog did is still being read again, and
 * begins again where the dialog was only about to close.
 */
function leavesWhenStepsAreTaken(page: Page): void {
  const { goto, reload } = page
  const leaving = async <Visit>(visit: () => Promise<Visit>): Promise<Visit> => {
    const stepsTaken = () =>
      page.waitForFunction(() => {
        const dialog = document.querySelector('[role=dialog]')
        return dialog ? !dialog.querySelector('[aria-busy=true]') : !history.state?.usr?.open
      })
    await stepsTaken()
    try {
      return await visit()
    } catch (error) {
      if (!String(error).includes('net::ERR_ABORTED')) throw error
      await stepsTaken()
      return await visit()
    }
  }
  page.goto = (...to) => leaving(() => goto.apply(page, to))
  page.reload = (...how) => leaving(() => reload.apply(page, how))
}

export { expect } from '@playwright/test'
