import type { MailJob } from '../../messages/mail.ts'
import type { PackageRow } from '../../packages/tables.ts'
import { type SandboxUnderTest, scratchDatabase, startSandbox } from '../../payments/sandbox/sandbox-under-test.ts'
import { BankUnderTest } from '../../payments/server/bank-under-test.ts'
import type { Person } from '../person.ts'
import { launchStudio, type StudioUnderTest } from '../studio-under-test.ts'
import { lookAt, type Snapshot } from './snapshot.ts'

/** The classes every history begins with, by the titles that mails and stories call them. */
const TIMETABLE = [
  { title: 'Cedar', at: 'Monday 12:00', places: 1 },
  { title: 'Aster', at: 'Tuesday 13:00', places: 2 },
  { title: 'Birch', at: 'Tuesday 18:00', places: 1 },
  { title: 'Dahlia', at: 'Thursday 12:00', places: 2 },
  { title: 'Elder', at: '2026-12-14 13:00', places: 2 },
  { title: 'Fern', at: '2027-01-05 10:00', places: 1 },
] as const
const BEGINNING = 'Monday 09:00'
/** Well before a session ends. */
const LOGIN_LASTS = { hours: 20 * 24 }

/** One studio, its bank and its cast, in which one history after the other is lived. */
export class World {
  readonly studio: StudioUnderTest
  readonly sandbox: SandboxUnderTest
  readonly bank: BankUnderTest
  readonly members: readonly Person[]
  readonly owner: Person
  /** What is on sale: an ordinary pass, and one that is bought once. */
  packages: PackageRow[] = []
  #loggedInAt: Temporal.Instant

  constructor(parts: { studio: StudioUnderTest; sandbox: SandboxUnderTest; members: Person[]; owner: Person }) {
    this.studio = parts.studio
    this.sandbox = parts.sandbox
    this.bank = new BankUnderTest(parts.sandbox)
    this.members = parts.members
    this.owner = parts.owner
    this.#loggedInAt = this.now
  }

  get now(): Temporal.Instant {
    return this.studio.clock.now()
  }

  look(): Promise<Snapshot> {
    return lookAt(this.studio.db)
  }

  /** The mails that were queued since this was asked last, in the order of their causes. */
  async takeMails(): Promise<MailJob[]> {
    const { rows } = await this.studio.server.database.pool.query<{ data: MailJob }>(
      `with taken as (delete from pgboss.job where name = 'mail' returning data, created_on)
       select data from taken order by created_on`,
    )
    return rows.map(({ data }) => data)
  }

  /** Forgets everything but the people. */
  async forget(): Promise<void> {
    await this.studio.server.database.transaction(async (tx) => {
      // Past the triggers that keep the ledger: this is another world.
      await tx.execute('set local session_replication_role = replica')
      await tx.execute('truncate classes, packages, payment_intents, audit_log restart identity cascade')
      await tx.execute('delete from pgboss.job')
    })
    await this.sandbox.pool.query(
      `truncate sandbox.payment_intents, sandbox.payment_methods, sandbox.charges, sandbox.refunds, sandbox.events,
        sandbox.idempotency_keys cascade`,
    )
    this.sandbox.received.length = 0
    this.studio.logged.length = 0
  }

  /** Forgets everything but the people, and begins anew on Monday morning. */
  async beginAnew(): Promise<void> {
    const { studio } = this
    await this.forget()
    studio.itIs(BEGINNING)
    for (const { title, at, places } of TIMETABLE) await studio.class({ title, at, places })
    const month = { validityMonths: 1, maxParticipants: 2 }
    this.packages = [
      await studio.package({ name: 'Three', price: '90.00', classCount: 3, ...month }),
      await studio.package({ name: 'Intro', price: '20.00', classCount: 1, ...month, purchaseOncePerUser: true }),
    ]
    for (const member of this.members) await studio.grants(member, 1)
  }

  /** Sets the clock; who was away for long logs in again. */
  async itBecomes(now: Temporal.Instant): Promise<void> {
    this.studio.clock.set(now)
    if (Temporal.Instant.compare(now, this.#loggedInAt.add(LOGIN_LASTS)) < 0) return
    this.#loggedInAt = now
    await this.studio.logsIn(...this.members, this.owner)
  }

  who(index: number): Person {
    return this.members[index % this.members.length] as Person
  }
}

/** Opens the world; whoever opened it closes it. */
export async function openWorld(): Promise<{ world: World; close(): Promise<void> }> {
  const database = await scratchDatabase()
  const sandbox = await startSandbox(database.url)
  const { studio, close } = await launchStudio({ env: new BankUnderTest(sandbox).env })
  const members = []
  for (const name of ['Ana', 'Boris', 'Carl']) members.push(await studio.member(name, { health: true }))
  const owner = await studio.admin('Dora')
  return {
    world: new World({ studio, sandbox, members, owner }),
    async close() {
      await close()
      await sandbox.stop()
      await database.drop()
    },
  }
}
