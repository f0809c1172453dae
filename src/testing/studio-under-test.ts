import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { beforeAll, onTestFinished } from 'vitest'
import { login, register } from '#accounts/contract.ts'
import { makeAdmin } from '#accounts/server/accounts.ts'
import { users } from '#accounts/tables.ts'
import { studioLog } from '#app/log.ts'
import { queuePlans } from '#app/queues.ts'
import type { Settings } from '#app/settings.ts'
import { runStudio, type StudioServer } from '#app/studio-server.ts'
import { endUndo } from '#booking/server/booking.ts'
import { saveEmergencyContact, saveQuestionnaire } from '#health/contract.ts'
import { readMailbox, type StoredMail } from '#messages/server/mailbox-files.ts'
import { createPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { grantPass } from '#passes/server/passes.ts'
import { onlyRow } from '#platform/database/database.ts'
import type { QueueName } from '#platform/jobs/queues.ts'
import { emailCancellations } from '#schedule/server/schedule.ts'
import { studio } from '#studio.ts'
import { createClasses } from '#timetable/server/timetable.ts'
import { type FrozenClock, london, wall } from './frozen-clock.ts'
import { Person } from './person.ts'
import { borrowFromPool, startStudio } from './studio-pool.ts'

type ClassWish = { at: string; ends?: string; places?: 1 | 2; title?: string; isActive?: boolean }

/** A whole studio on a real port and its own database, with a frozen clock. */
export class StudioUnderTest {
  readonly clock: FrozenClock
  readonly server: StudioServer
  readonly settings: Settings
  readonly logged: string[]
  readonly #emails = new Map<string, Person>()

  constructor(parts: { clock: FrozenClock; server: StudioServer; settings: Settings; logged: string[] }) {
    this.clock = parts.clock
    this.server = parts.server
    this.settings = parts.settings
    this.logged = parts.logged
  }

  get db() {
    return this.server.database.db
  }

  travelTo(when: string): void {
    const { date, time } = wall(when)
    this.clock.set(london(`${date} ${time}`))
  }

  /** A person who is not registered. */
  visitor(name = 'Vera'): Person {
    return new Person(this.server.origin, name)
  }

  /** A registered member, on request with health information and a pass. */
  async member(name: string, has: { health?: boolean; credits?: number } = {}): Promise<Person> {
    const person = this.visitor(name)
    const { email, password } = person
    const response = await person.call(register, { body: { email, password, firstName: name, lastName: 'Cast' } })
    if (response.status !== 201)
      throw new Error(`${name} could not sign up: ${JSON.stringify(response.body)} ${this.faults()}`)
    person.id = response.body.user.id
    this.#emails.set(email, person)
    if (has.health) await this.completeHealth(person)
    if (has.credits) await this.grantCredits(person, has.credits)
    return person
  }

  async admin(name: string): Promise<Person> {
    const person = await this.member(name)
    await this.server.database.transaction((tx) =>
      makeAdmin(tx, person.email, this.clock.now(), { keepPassword: true }),
    )
    return person
  }

  /** A member whom an admin has made a teacher. */
  async teacher(name: string): Promise<Person> {
    const person = await this.member(name)
    await this.db.update(users).set({ isTeacher: true }).where(eq(users.id, person.id))
    return person
  }

  /** Logs in again, as sessions end after thirty days. */
  async logIn(...people: Person[]): Promise<void> {
    for (const person of people) {
      const response = await person.call(login, { body: { username: person.email, password: person.password } })
      if (response.status !== 200) throw new Error(`${person.name} could not log in: ${JSON.stringify(response.body)}`)
    }
  }

  async completeHealth(person: Person): Promise<void> {
    await person.call(saveQuestionnaire, { body: {} })
    const body = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
    await person.call(saveEmergencyContact, { body })
  }

  /** Gifts a pass with credits. Returns its id. */
  async grantCredits(person: Person, credits: number, validityMonths = 12): Promise<number> {
    const gift = await this.createPackage({ name: `${credits} credits`, classCount: credits })
    const cause = { giftedBy: { by: 'system' as const } }
    const pass = await this.server.database.transaction((tx) =>
      grantPass(tx, { userId: person.id, packageId: gift.id, credits, validityMonths, cause }, this.clock.now()),
    )
    return pass.id
  }

  async createPackage(wish: Partial<Parameters<typeof createPackage>[1]> = {}): Promise<PackageRow> {
    const usual = {
      name: '8 Class Pass',
      description: null,
      price: '424.00',
      classCount: 8,
      validityMonths: 4,
      maxParticipants: 2,
      isLimitedOffer: false,
      purchaseOncePerUser: false,
    }
    return await this.server.database.transaction((tx) => createPackage(tx, { ...usual, ...wish }, this.clock.now()))
  }

  /** Creates a class of 45 minutes for two by default. Returns its id. */
  async createClass(wish: ClassWish | string): Promise<number> {
    const { at, ends, places = 2, title = 'Reformer', isActive = true } = typeof wish === 'string' ? { at: wish } : wish
    const { date, time } = wall(at)
    const endTime = ends ?? Temporal.PlainTime.from(time).add({ minutes: 45 }).toString({ smallestUnit: 'minute' })
    const rows = await this.server.database.transaction((tx) =>
      createClasses(
        tx,
        { title, description: null, date, startTime: time, endTime, maxParticipants: places, isActive },
        this.clock.now(),
      ),
    )
    return onlyRow(rows).id
  }

  /** Credits as shown in the member's list of passes. */
  async creditsOf(person: Person): Promise<number> {
    const { body } = await person.request('GET', '/api/user/passes')
    return body.reduce((sum: number, pass: { creditsRemaining: number }) => sum + pass.creditsRemaining, 0)
  }

  /** Sends all queued emails, as if Undo had expired, and returns the whole mailbox, oldest first. */
  async mailbox(): Promise<StoredMail[]> {
    const later = this.clock.now().add({ seconds: studio.policies.undoSeconds })
    await this.server.database.transaction((tx) => emailCancellations(tx, later))
    await this.endUndo()
    await this.runQueue('mail-link')
    await this.runQueue('mail')
    await this.runQueue('mail-to-many')
    const mails = await readMailbox(join(this.settings.dataDir, 'mailbox'))
    return mails.sort((a, b) => a.at.localeCompare(b.at) || a.subject.localeCompare(b.subject))
  }

  /** Makes members' cancellations final, as if Undo had run out: the waiting list gets the place. */
  async endUndo(): Promise<void> {
    const now = this.clock.now()
    await endUndo(this.server.database, now, now)
  }

  /** The emails to a person, oldest first, after sending all queued ones. */
  async mailTo(person: { email: string }): Promise<StoredMail[]> {
    return (await this.mailbox()).filter((mail) => mail.to === person.email)
  }

  /** Runs the jobs waiting in a queue, or a task of every minute. */
  async runQueue(name: keyof StudioServer['workers']): Promise<void> {
    const { jobs, workers } = this.server
    if (name in queuePlans) await jobs.drain(name as QueueName, workers[name] as never)
    else await workers[name]({} as never, 'by hand')
  }

  /** Starts a second process of this studio on the same database; closed with the test. */
  async startSecondProcess(options: Partial<Parameters<typeof runStudio>[1]> & { databaseUrl?: string } = {}) {
    const { databaseUrl = this.settings.databaseUrl as string, ...others } = options
    const log = studioLog('trace', { write: (line) => void this.logged.push(line) })
    const server = await runStudio(
      { ...this.settings, databaseUrl },
      { clock: this.clock, log, workQueues: false, strict: true, connections: 10, ...others },
    )
    onTestFinished(() => server.close())
    return {
      server,
      /** The same person, logged in there. */
      loggedInAs: (person: Person) => {
        const there = new Person(server.origin, person.name)
        there.id = person.id
        there.copyCookiesOf(person)
        return there
      },
    }
  }

  /** The errors in the log. */
  faults(): string {
    return this.logged.filter((line) => line.includes('"err"')).join('')
  }

  /** A number from the database. */
  async count(query: string, values: unknown[] = []): Promise<number> {
    const { rows } = await this.server.database.pool.query(query, values)
    return Number(Object.values(rows[0])[0])
  }
}

type StudioOptions = { now?: string; env?: Record<string, string> }

const instantOf = (options: StudioOptions) => {
  const { date, time } = wall(options.now ?? 'Monday 09:00')
  return london(`${date} ${time}`)
}

/** A studio that is not shared or reused; the caller closes it. */
export async function launchStudio(
  options: StudioOptions,
): Promise<{ studio: StudioUnderTest; close(): Promise<void> }> {
  const pooled = await startStudio(options.env ?? {}, instantOf(options))
  return { studio: new StudioUnderTest(pooled), close: pooled.close }
}

/** An empty studio; the caller closes it. */
async function borrowStudio(options: StudioOptions): Promise<{ studio: StudioUnderTest; close(): Promise<void> }> {
  const { pooled, giveBack } = await borrowFromPool(options.env ?? {}, instantOf(options))
  return { studio: new StudioUnderTest(pooled), close: giveBack }
}

export type Story = Awaited<ReturnType<typeof usualCast>>
async function usualCast(studio: StudioUnderTest) {
  const [ana, boris, dora] = await Promise.all([
    studio.member('Ana', { health: true, credits: 10 }),
    studio.member('Boris'),
    studio.admin('Dora'),
  ])
  return { studio, ana, boris, dora }
}

/** An empty studio, closed with the test. */
export async function openEmptyStudio(options: StudioOptions = {}): Promise<StudioUnderTest> {
  const { studio, close } = await borrowStudio(options)
  onTestFinished(close)
  return studio
}

/**
 * The usual cast: Ana has health information and ten credits, Boris is registered, Dora is the owner. It is Monday 7
 * December 2026, 09:00, by default.
 */
export async function openStudio(options: StudioOptions = {}) {
  return await usualCast(await openEmptyStudio(options))
}

/**
 * The usual cast shared by all tests of a file, which must not affect each other. Call it at the top level of the file;
 * the returned object is filled before the first test.
 */
export function shareStudio(options: StudioOptions | (() => StudioOptions) = {}): Story {
  const story = {} as Story
  beforeAll(async () => {
    const { studio, close } = await borrowStudio(typeof options === 'function' ? options() : options)
    Object.assign(story, await usualCast(studio))
    return close
  })
  return story
}
