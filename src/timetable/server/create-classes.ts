import { factsNow } from '#facts/server/facts.ts'
import { toPence } from '#foundation/amounts.ts'
import { refuse } from '#foundation/refusal.ts'
import type { Tx } from '#platform/database/database.ts'
import { studio } from '#studio.ts'
import { type ClassForm, timetableRefusals } from '../contract.ts'
import { closureOn, MOST_OCCURRENCES, occurrences, spanOf } from '../rules.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'
import { askIfOverlapping } from './ask-first.ts'
import { closuresIn, holdDays } from './closures.ts'

type Repeats = 'isRepeating' | 'repeatFrequency' | 'repeatUntilDate' | 'onClosedDay' | 'ifNoOverlap'
type NewClass = Omit<ClassForm, Repeats> & Partial<Pick<ClassForm, Repeats>>

/**
 * Creates a class or, for a repeating one, a class per occurrence that share a series. Days on which the studio is closed are
 * left out of a series.
 *
 * @returns the classes in the order of their dates; there is always a first
 */
export async function createClasses(tx: Tx, form: NewClass, now: Temporal.Instant): Promise<ClassRow[]> {
  const { isRepeating, repeatFrequency, repeatUntilDate } = form
  const repeats = isRepeating && repeatFrequency && repeatUntilDate ? { repeatFrequency, repeatUntilDate } : undefined
  const all = repeats ? occurrences(form.date, repeats.repeatFrequency, repeats.repeatUntilDate) : [form.date]
  if (all.length > MOST_OCCURRENCES) refuse(timetableRefusals.series_too_long)
  const dates = form.onClosedDay && !repeats ? all : await openDays(tx, all)
  if (dates.length === 0) refuseClosed()
  const [series] = repeats
    ? await tx
        .insert(classSeries)
        .values({ ...repeats, firstDate: form.date })
        .returning({ id: classSeries.id })
    : []
  const { prices } = await factsNow(tx)
  const rows = await tx
    .insert(classes)
    .values(
      dates.map((date) => ({
        seriesId: series?.id ?? null,
        title: form.title,
        description: form.description || null,
        date,
        startTime: form.startTime,
        endTime: form.endTime,
        ...spanOf({ ...form, date }),
        maxParticipants: form.maxParticipants,
        pricePence: form.price == null ? toPence(prices.price) : toPence(form.price),
        passPricePence: form.passPrice == null ? toPence(prices.passPrice) : toPence(form.passPrice),
        instructorName: form.instructorName ?? studio.instructor.name,
        isActive: form.isActive ?? true,
        createdAt: now,
        updatedAt: now,
      })),
    )
    .returning()
  if (form.ifNoOverlap) await askIfOverlapping(tx, [], rows)
  return rows.sort((a, b) => a.date.localeCompare(b.date))
}

/** Those of the days, in order, on which the studio is not closed; no day is closed before the transaction ends. */
export async function openDays(tx: Tx, dates: string[]): Promise<string[]> {
  await holdDays(tx, 'shared')
  const [from = '', to = from] = [dates[0], dates.at(-1)]
  const closed = await closuresIn(tx, { from, to })
  return dates.filter((date) => !closureOn(date, closed))
}

function refuseClosed(): never {
  const { studio_closed } = timetableRefusals
  refuse(studio_closed, [{ path: 'onClosedDay', message: studio_closed.message }])
}
