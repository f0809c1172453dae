import { randomUUID } from 'node:crypto'
import { and, desc, eq, gt, isNotNull, ne } from 'drizzle-orm'
import { addUser, hashPassword, registerMember, verifyAddress } from '#accounts/server/accounts.ts'
import { completeEndedClasses } from '#booking/server/booking.ts'
import { usualEnd } from '#facts/rules-timetable.ts'
import { mondayOf, WEEKDAYS } from '#foundation/dates.ts'
import { studioDate } from '#foundation/instants.ts'
import { QuestionnaireForm } from '#health/contract.ts'
import { saveEmergencyContact, saveQuestionnaire } from '#health/server/health.ts'
import { createPackage } from '#packages/server/packages.ts'
import type { PackageRow } from '#packages/tables.ts'
import { expirePasses } from '#passes/server/passes.ts'
import { passes } from '#passes/tables.ts'
import type { DeskMethod } from '#payments/contract.ts'
import { syncPaymentInTransaction } from '#payments/server/payments.ts'
import { purchases } from '#payments/tables.ts'
import type { Tx } from '#platform/database/database.ts'
import { createClasses } from '#timetable/server/timetable.ts'
import type { ClassRow } from '#timetable/tables.ts'
import type { SeedContext } from './bank.ts'
import {
  demoAccounts,
  demoMember,
  longMember,
  sampleClasses,
  sampleMembers,
  samplePackages,
  shortMember,
} from './cast.ts'
import { type Joined, seedEightWeeks } from './eight-weeks.ts'

const WEEKS = 8
const HOURS_A_WEEK = 7 * 24
/** Sample members who pay at the desk, by their place in the cast. */
const AT_THE_DESK: Record<number, DeskMethod> = { 1: 'cash', 4: 'card_reader', 6: 'bank_transfer', 9: 'cash' }

/** Fills an empty studio: accounts, packages, classes of the past and next eight weeks, and bookings. */
export async function seed(tx: Tx, context: SeedContext): Promise<void> {
  const { now } = context
  const opened = now.subtract({ hours: (WEEKS + 1) * HOURS_A_WEEK })
  const packages: PackageRow[] = []
  for (const sample of samplePackages) packages.push(await createPackage(tx, { ...sample, maxParticipants: 2 }, opened))
  const classes = await weeklyTimetable(tx, now, opened)
  const { admin, member, others } = await people(tx, context, opened)
  await seedEightWeeks(tx, context, { classes, packages, admin, member, others })
  await completeEndedClasses(tx, now)
  await expirePasses(tx, now)
  await seedDisputes(tx, context, member)
}

async function weeklyTimetable(tx: Tx, now: Temporal.Instant, opened: Temporal.Instant): Promise<ClassRow[]> {
  const monday = mondayOf(studioDate(now).toString())
  const classes: ClassRow[] = []
  for (const { times, ...sample } of sampleClasses) {
    for (const [day, startTime] of times) {
      const first = monday.add({ days: WEEKDAYS.indexOf(day) - WEEKS * 7 })
      const series = await createClasses(
        tx,
        {
          ...sample,
          date: first.toString(),
          startTime,
          endTime: usualEnd(startTime),
          isRepeating: true,
          repeatFrequency: 'weekly',
          repeatUntilDate: first.add({ weeks: 2 * WEEKS }).toString(),
        },
        opened,
      )
      classes.push(...series)
    }
  }
  return classes.sort((a, b) => Temporal.Instant.compare(a.startsAt, b.startsAt))
}

async function people(tx: Tx, context: SeedContext, opened: Temporal.Instant) {
  const [adminAccount, memberAccount] = demoAccounts
  const admin = await addUser(
    tx,
    {
      email: adminAccount.email,
      username: adminAccount.email,
      firstName: 'Eleanor',
      lastName: 'Marsh',
      passwordHash: await hashPassword(adminAccount.password),
      isAdmin: true,
    },
    opened,
  )
  await verifyAddress(tx, admin.id, opened.add({ minutes: 3 }))
  const member = await join(tx, context, demoMember, memberAccount.email, await hashPassword(memberAccount.password))
  const nobodysPassword = await hashPassword(randomUUID())
  await join(tx, context, longMember, longMember.email, nobodysPassword)
  await addUser(tx, { ...shortMember, passwordHash: null }, opened)
  const others: Joined[] = []
  for (const [place, sample] of sampleMembers.entries()) {
    const joined = await join(tx, context, sample, `member${place + 1}@studio.example`, nobodysPassword)
    others.push({ ...joined, paysBy: AT_THE_DESK[place] })
  }
  return { admin, member, others }
}

type Member = { firstName: string; lastName: string; username?: string; phone?: string; joinedWeeksAgo: number }

async function join(
  tx: Tx,
  { vault, now }: SeedContext,
  person: Member,
  email: string,
  passwordHash: string,
): Promise<Joined> {
  const { joinedWeeksAgo, ...names } = person
  const since = now.subtract({ hours: joinedWeeksAgo * HOURS_A_WEEK + 5 })
  const row = await registerMember(tx, { ...names, email, passwordHash }, { verification: 'off', now: since })
  await verifyAddress(tx, row.id, since.add({ minutes: 3 }))
  const filledIn = since.add({ minutes: 12 })
  await saveQuestionnaire(
    tx,
    vault,
    row,
    QuestionnaireForm.parse({
      previousInjuries: joinedWeeksAgo % 3 === 0 ? 'Left knee, physiotherapy finished last spring' : null,
      hasBackProblems: joinedWeeksAgo % 2 === 0,
      fitnessLevel: 'intermediate',
      exerciseFrequency: 'weekly',
      pilatesExperience: joinedWeeksAgo > 5 ? 'some_experience' : 'none',
      fitnessGoals: 'Stronger back, better balance',
      marketingConsent: joinedWeeksAgo % 4 === 0,
    }),
    filledIn,
  )
  const contact = { contactName: `Sam ${names.lastName}`, relationship: 'Partner', phoneNumber: '01632 960199' }
  await saveEmergencyContact(tx, vault, row, contact, filledIn)
  return { row, since }
}

/** The part of a payment that is refunded. */
const PART_PENCE = 2000

/**
 * Disputes one of the last online purchases of other members and refunds part of another at the provider, so that the
 * owner sees a pass on hold and a decision to make.
 */
async function seedDisputes(tx: Tx, { bank, now }: SeedContext, member: Joined): Promise<void> {
  const [disputed, partlyRefunded] = await tx
    .select({ intentId: purchases.paymentIntentId })
    .from(purchases)
    .innerJoin(passes, eq(passes.purchaseId, purchases.id))
    .where(
      and(
        ne(purchases.userId, member.row.id),
        isNotNull(purchases.paymentIntentId),
        gt(passes.expiresAt, now),
        gt(passes.creditsRemaining, 0),
      ),
    )
    .orderBy(desc(purchases.purchasedAt), desc(purchases.id))
    .limit(2)
  if (disputed?.intentId) {
    await bank.dispute(disputed.intentId)
    await syncPaymentInTransaction(tx, bank.provider, disputed.intentId, now)
  }
  if (partlyRefunded?.intentId) {
    await bank.refund(partlyRefunded.intentId, PART_PENCE)
    await syncPaymentInTransaction(tx, bank.provider, partlyRefunded.intentId, now)
  }
}
