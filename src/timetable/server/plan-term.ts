import { and, desc, eq, gte, isNull, lte, sql } from 'drizzle-orm'
import type { Slot } from '#facts/contract-timetable.ts'
import { currentFacts } from '#facts/server/facts.ts'
import { toPence } from '#foundation/amounts.ts'
import { defined, inParts } from '#foundation/collections.ts'
import { weekdayOf } from '#foundation/dates.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Reader, Tx } from '#platform/database/database.ts'
import { timetableRefusals } from '../contract.ts'
import type { PlannedSlot, TermForm } from '../contract-term.ts'
import { classType, closureOf, hasStarted, spanOf } from '../rules.ts'
import { datesOfTerm, MAX_OCCURRENCES } from '../rules-planning.ts'
import { classes, classSeries, plannedClasses } from '../tables.ts'
import { closuresIn, type Days, lockDays } from './closures.ts'
import {
  insertClasses,
  nameOfClass,
  overlappingClasses,
  recordCreatedClasses,
  refuseOverlaps,
} from './create-classes.ts'

/** Four parameters each, of 65,535 a statement. */
const ROWS_A_STATEMENT = 10_000

/** Makes missing classes between two days, a weekly series per slot. Returns what was made and what was left out. */
export async function planTerm(tx: Tx, admin: { id: string }, form: TermForm, now: Temporal.Instant) {
  // Keeps others from planning, copying or closing days concurrently.
  await lockDays(tx, 'exclusive')
  const slots = await slotsOf(tx, form, now)
  const made = slots.filter(({ dates }) => dates.length > 0)
  let classIds: number[] = []
  if (made.length > 0) {
    const slotOfSeries = new Map<number, SlotOfTerm>()
    for (const slot of made) {
      const days = { firstDate: defined(slot.dates[0]), repeatUntilDate: defined(slot.dates.at(-1)) }
      const [series] = await tx
        .insert(classSeries)
        .values({ repeatFrequency: 'weekly', ...days })
        .returning()
      slotOfSeries.set(defined(series).id, slot)
    }
    const created = await insertClasses(
      tx,
      [...slotOfSeries].flatMap(([seriesId, { dates, ...slot }]) =>
        dates.map((date) => ({ ...slot, seriesId, date, isActive: true })),
      ),
      now,
    )
    const planned = created.map(({ id, seriesId, date }) => {
      const { startTime, nth } = defined(slotOfSeries.get(seriesId ?? 0))
      return { date, startTime, nth, classId: id }
    })
    for (const part of inParts(planned, ROWS_A_STATEMENT)) await tx.insert(plannedClasses).values(part)
    if (form.ifNoOverlap) await refuseOverlaps(tx, [], created)
    await recordCreatedClasses(tx, admin, created, now)
    classIds = created.map(({ id }) => id)
  }
  return { ...toTerm(slots), classIds }
}

/** What {@link planTerm} would create, and the classes that it would overlap. */
export async function previewTerm(reader: Reader, form: TermForm, now: Temporal.Instant) {
  const slots = await slotsOf(reader, form, now)
  const spans = slots.flatMap((slot) => slot.dates.map((date) => spanOf({ ...slot, date })))
  return { ...toTerm(slots), overlaps: (await overlappingClasses(reader, spans, [])).map(nameOfClass) }
}

type SlotOfTerm = Slot & {
  nth: number
  title: string
  description: string | null
  pricePence: number
  passPricePence: number
  instructorName: string
  /** The dates on which a class is missing. */
  dates: string[]
  left: Pick<PlannedSlot, 'onClosedDays' | 'leftOut' | 'clashing' | 'alreadyThere' | 'movedOrDeleted' | 'inThePast'>
}

async function slotsOf(reader: Reader, form: TermForm, now: Temporal.Instant): Promise<SlotOfTerm[]> {
  const { timetables, prices, instructor } = await currentFacts(reader)
  const slots = datesOfTerm(timetables, form)
  if (slots.some(({ dates }) => dates.length > MAX_OCCURRENCES)) refuse(timetableRefusals.series_too_long)
  const closed = await closuresIn(reader, form)
  const leftOut = new Set(form.leaveOut)
  const leftOutStarts = new Set(form.leaveOutClasses.map(({ date, startTime }) => `${date} ${startTime}`))
  const there = await classesThere(reader, form)
  const textOf = await recentTexts(reader, form)
  const whyNotMissing = (slot: Parameters<typeof there>[0] & Parameters<typeof spanOf>[0]) => {
    if (hasStarted(spanOf(slot).startsAt, now)) return 'inThePast'
    if (leftOut.has(slot.date)) return 'leftOut'
    if (leftOutStarts.has(`${slot.date} ${slot.startTime}`)) return 'clashing'
    if (closureOf(slot, closed)) return 'onClosedDays'
    return there(slot)
  }
  return slots.map(({ dates, ...slot }) => {
    const choice = form.slots.find(({ day, startTime }) => day === slot.day && startTime === slot.startTime)
    const maxParticipants = choice?.maxParticipants ?? slot.maxParticipants
    const { title, description } = textOf({ ...slot, maxParticipants })
    const left = { onClosedDays: 0, leftOut: 0, clashing: 0, alreadyThere: 0, movedOrDeleted: 0, inThePast: 0 }
    const missing = dates.filter((date) => {
      const reason = whyNotMissing({ ...slot, date })
      if (reason) left[reason] += 1
      return !reason
    })
    return {
      ...slot,
      maxParticipants,
      title: choice?.title ?? title,
      description,
      pricePence: toPence(choice?.price ?? prices.price),
      passPricePence: toPence(choice?.passPrice ?? prices.passPrice),
      instructorName: choice?.instructorName ?? slot.instructorName ?? instructor.name,
      dates: missing,
      left,
    }
  })
}

/**
 * Returns a function that finds out whether a slot has its class on a date. Classes at that time which were not planned
 * for it fill as many slots as there are classes.
 */
async function classesThere(reader: Reader, { from, to }: Days) {
  const planned = await reader
    .select({
      date: plannedClasses.date,
      startTime: plannedClasses.startTime,
      nth: plannedClasses.nth,
      classId: plannedClasses.classId,
      isThere: sql<boolean>`${classes.deletedAt} is null and ${classes.date} = ${plannedClasses.date}
        and ${classes.startTime} = ${plannedClasses.startTime}`,
    })
    .from(plannedClasses)
    .innerJoin(classes, eq(classes.id, plannedClasses.classId))
    .where(and(gte(plannedClasses.date, from), lte(plannedClasses.date, to)))
  const keyOf = ({ date, startTime, nth }: { date: string; startTime: string; nth: number }) =>
    `${date} ${startTime} ${nth}`
  const states = new Map(planned.map((row) => [keyOf(row), row.isThere ? 'alreadyThere' : 'movedOrDeleted'] as const))
  const own = new Set(planned.filter(({ isThere }) => isThere).map(({ classId }) => classId))
  const found = await reader
    .select({ id: classes.id, date: classes.date, startTime: classes.startTime })
    .from(classes)
    .where(and(isNull(classes.deletedAt), gte(classes.date, from), lte(classes.date, to)))
  const others = new Map<string, number>()
  for (const { id, date, startTime } of found) {
    if (!own.has(id)) others.set(`${date} ${startTime}`, (others.get(`${date} ${startTime}`) ?? 0) + 1)
  }
  return (slot: { date: string; startTime: string; nth: number }) => {
    const state = states.get(keyOf(slot))
    if (state) return state
    const left = others.get(`${slot.date} ${slot.startTime}`) ?? 0
    others.set(`${slot.date} ${slot.startTime}`, left - 1)
    return left > 0 ? 'alreadyThere' : undefined
  }
}

/** A function that finds a slot's title and description: its newest class's, or the newest's for as many people. */
async function recentTexts(reader: Reader, { from, to }: Days) {
  const weekday = sql<number>`extract(isodow from ${classes.date})`
  const yearBefore = Temporal.PlainDate.from(from).subtract({ years: 1 }).toString()
  const recent = await reader
    .selectDistinctOn([weekday, classes.startTime, classes.maxParticipants], {
      title: classes.title,
      description: classes.description,
      date: classes.date,
      startTime: classes.startTime,
      maxParticipants: classes.maxParticipants,
    })
    .from(classes)
    .where(and(isNull(classes.deletedAt), gte(classes.date, yearBefore), lte(classes.date, to)))
    .orderBy(weekday, classes.startTime, classes.maxParticipants, desc(classes.date), desc(classes.id))
  recent.sort((a, b) => b.date.localeCompare(a.date))
  return ({ day, startTime, maxParticipants }: Pick<Slot, 'day' | 'startTime' | 'maxParticipants'>) => {
    const alike = recent.filter((one) => one.maxParticipants === maxParticipants)
    const same = alike.find((one) => weekdayOf(one.date) === day && one.startTime === startTime)
    return same ?? alike[0] ?? { title: `Reformer Pilates ${classType(maxParticipants)}`, description: null }
  }
}

const toTerm = (slots: SlotOfTerm[]) => ({
  classes: slots.reduce((sum, { dates }) => sum + dates.length, 0),
  slots: slots.map(({ dates, left, pricePence, passPricePence, nth: _, description: __, ...slot }) => ({
    ...slot,
    price: pricePence,
    passPrice: passPricePence,
    classes: dates.length,
    first: dates[0] ?? null,
    last: dates.at(-1) ?? null,
    ...left,
  })),
})
