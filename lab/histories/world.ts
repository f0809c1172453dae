import { endUndo } from '#booking/server/booking.ts'
import { defined } from '#foundation/collections.ts'
import type { MailJob } from '#messages/mail.ts'
import { invitationPath, linkTokens } from '#messages/server/link-tokens.ts'
import { createPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { grantPass } from '#passes/server/passes.ts'
import { BankUnderTest } from '#payments/server/bank-under-test.ts'
import { promotionCodes } from '#payments/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { createVault } from '#platform/vault/vault.ts'
import { deleteUser } from '#privacy/contract.ts'
import { emailCancellations } from '#schedule/server/schedule.ts'
import { wall } from '#testing/frozen-clock.ts'
import type { Person, TestResponse } from '#testing/person.ts'
import { launchStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { createClasses } from '#timetable/server/timetable.ts'
import { codeOf } from '#vouchers/server/vouchers.ts'
import type { VoucherRow } from '#vouchers/tables.ts'
import { type SandboxUnderTest, scratchDatabase, startSandbox } from '../../stripe-sandbox/sandbox-under-test.ts'
import { type Snapshot, takeSnapshot } from './snapshot.ts'

/** The classes of every history. */
const TIMETABLE = [
  { title: 'Cedar', at: 'Monday 12:00', places: 1 },
  { title: 'Aster', at: 'Tuesday 13:00', places: 2 },
  { title: 'Birch', at: 'Tuesday 18:00', places: 1 },
  { title: 'Dahlia', at: 'Thursday 12:00', places: 2 },
  // A weekly slot.
  { title: 'Grove', at: '2026-12-11 08:00', places: 2 },
  { title: 'Hazel', at: '2026-12-18 08:00', places: 1 },
  { title: 'Iris', at: '2026-12-25 08:00', places: 2 },
  { title: 'Elder', at: '2026-12-14 13:00', places: 2 },
  { title: 'Fern', at: '2027-01-05 10:00', places: 1 },
] as const
const BEGINNING = 'Monday 09:00'
/** £5 off, as often as anyone likes. */
export const CODE = { code: 'FIVER', kind: 'amount' as const, value: 500 }
/** Of each member: enough for two to come every week, for some classes, and for one. */
const CREDITS = [6, 3, 1]
/** Shorter than a session. */
const LOGIN_LIFETIME = { hours: 20 * 24 }

/** A checkout in a tab: what it shows, and its payment. */
export type Tab = {
  key: string
  member: Person
  bought: PackageRow
  to?: string
  pence: number
  started: TestResponse
}

/** A studio with its card provider and cast, in which histories run one after another. */
export class World {
  readonly studio: StudioUnderTest
  readonly sandbox: SandboxUnderTest
  readonly bank: BankUnderTest
  readonly members: Person[]
  readonly owner: Person
  /** An ordinary package, and a once-only one. */
  packages: PackageRow[] = []
  /** Checkouts that are open in tabs. */
  readonly tabs: Tab[] = []
  /** Payments that members have paid, whether or not the studio has learnt of it. */
  readonly paidIntents = new Set<string>()
  /** Bookings whose class the studio has moved. */
  readonly movedBookings = new Set<number>()
  /** Regular bookings that their members ended; they are emailed only what was cancelled with them. */
  readonly endedRegulars = new Set<number>()
  /** Addresses of those who were erased in this step. */
  readonly justErased = new Set<string>()
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

  snapshot(): Promise<Snapshot> {
    return takeSnapshot(this.studio.db)
  }

  /** Takes the emails queued since the last call, in order. */
  async takeMails(): Promise<MailJob[]> {
    const { rows } = await this.studio.server.database.pool.query<{ data: MailJob }>(
      `with taken as (delete from pgboss.job where name = 'mail' returning data, created_on)
       select data from taken order by created_on`,
    )
    return rows.map(({ data }) => data).filter(({ data }) => data.to.email !== '')
  }

  /** The owner deletes a member, who signs up again. */
  async erase(member: Person): Promise<TestResponse> {
    await this.studio.logIn(this.owner)
    const answer = await this.owner.call(deleteUser, { params: { id: member.id } })
    if (answer.status >= 400) return answer
    this.justErased.add(member.email)
    this.members[this.members.indexOf(member)] = await this.studio.member(member.name, { health: true })
    return answer
  }

  /** Deletes everything but the people. */
  async forget(): Promise<void> {
    await this.studio.server.database.transaction(deleteAllRows)
    const { rows } = await this.sandbox.pool.query("select tablename from pg_tables where schemaname = 'sandbox'")
    const tables = rows.map(({ tablename }) => `sandbox.${tablename}`)
    await this.sandbox.pool.query(`truncate ${tables.join(', ')} cascade`)
    this.sandbox.received.length = 0
    this.tabs.length = 0
    this.paidIntents.clear()
    this.movedBookings.clear()
    this.endedRegulars.clear()
    this.studio.logged.length = 0
  }

  /** Deletes everything but the people, and starts again on Monday morning. */
  async reset(): Promise<void> {
    await this.forget()
    this.studio.travelTo(BEGINNING)
    const { now } = this
    await this.studio.server.database.transaction(async (tx) => {
      for (const { title, at, places } of TIMETABLE) await createClasses(tx, formOf(title, at, places), now)
      const usual = { description: null, isLimitedOffer: false, validityMonths: 1, maxParticipants: 2 }
      const three = { ...usual, name: 'Three', price: '90.00', classCount: 3, purchaseOncePerUser: false }
      const intro = { ...usual, name: 'Intro', price: '20.00', classCount: 1, purchaseOncePerUser: true }
      this.packages = [await createPackage(tx, three, now), await createPackage(tx, intro, now)]
      const open = { oncePerMember: false, firstPurchaseOnly: false, createdAt: now, updatedAt: now }
      await tx.insert(promotionCodes).values({ ...CODE, ...open })
      const packageId = this.packages[0]?.id ?? 0
      const cause = { giftedBy: { by: 'admin', id: this.owner.id } } as const
      for (const [i, credits] of CREDITS.entries()) {
        const userId = this.member(i).id
        await grantPass(tx, { userId, packageId, credits, validityMonths: 12, cause }, now)
      }
    })
  }

  /** Sets the clock, logging everyone in again before sessions expire. */
  async travelTo(now: Temporal.Instant): Promise<void> {
    this.studio.clock.set(now)
    if (Temporal.Instant.compare(now, this.#loggedInAt.add(LOGIN_LIFETIME)) < 0) return
    this.#loggedInAt = now
    await this.studio.logIn(...this.members, this.owner)
  }

  /**
   * Queues the emails of cancellations by members and by the studio, as if Undo had expired, and ends their held
   * places.
   */
  async expireUndo(): Promise<void> {
    const later = this.now.add({ minutes: 1 })
    await this.studio.server.database.transaction((tx) => emailCancellations(tx, later))
    await endUndo(this.studio.server.database, this.now, this.now)
    await this.studio.server.workers['end-holds']({}, 'history')
  }

  /** The token of a companion's emailed link. */
  invitationToken(linkId: string): string {
    const path = invitationPath(linkId, linkTokens(this.studio.settings.sessionSecret))
    return defined(path.split('=')[1])
  }

  codeOf(voucher: VoucherRow): string | undefined {
    return codeOf(createVault(this.studio.settings.healthDataKeys), voucher)
  }

  member(index: number): Person {
    return defined(this.members[index % this.members.length])
  }
}

async function deleteAllRows(tx: Tx): Promise<void> {
  // Bypasses the triggers that protect the ledger.
  await tx.execute('set local session_replication_role = replica')
  await tx.execute(
    'truncate classes, closures, studio_cancellations, packages, payment_intents, audit_log, security_events, regular_bookings, regular_dates_left_out, vouchers, promotion_codes restart identity cascade',
  )
  await tx.execute('delete from pgboss.job')
}

function formOf(title: string, at: string, maxParticipants: number) {
  const { date, time: startTime } = wall(at)
  const endTime = Temporal.PlainTime.from(startTime).add({ minutes: 45 }).toString({ smallestUnit: 'minute' })
  return { title, description: null, date, startTime, endTime, maxParticipants }
}

/** The caller closes the world. */
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
