import { factsNow } from '../../facts/server/facts.ts'
import { toPence } from '../../foundation/money.ts'
import { refuse } from '../../foundation/refusal.ts'
import type { Tx } from '../../platform/database/database.ts'
import { studio } from '../../studio.ts'
import { type ClassForm, timetableRefusals } from '../contract.ts'
import { MOST_OCCURRENCES, occurrences, spanOf } from '../rules.ts'
import { type ClassRow, classes, classSeries } from '../tables.ts'

type NewClass = Omit<ClassForm, 'isRepeating' | 'repeatFrequency' | 'repeatUntilDate'> &
  Partial<Pick<ClassForm, 'isRepeating' | 'repeatFrequency' | 'repeatUntilDate'>>

/**
 * Creates a class or, for a repeating one, a class per occurrence that share a series.
 *
 * @returns the classes in the order of their dates; there is always a first
 */
export async function createClasses(tx: Tx, form: NewClass, now: Temporal.Instant): Promise<ClassRow[]> {
  const { isRepeating, repeatFrequency, repeatUntilDate } = form
  const repeats = isRepeating && repeatFrequency && repeatUntilDate ? { repeatFrequency, repeatUntilDate } : undefined
  const dates = repeats ? occurrences(form.date, repeats.repeatFrequency, repeats.repeatUntilDate) : [form.date]
  if (dates.length > MOST_OCCURRENCES) refuse(timetableRefusals.series_too_long)
  const [series] = repeats ? await tx.insert(classSeries).values(repeats).returning({ id: classSeries.id }) : []
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
  return rows.sort((a, b) => a.date.localeCompare(b.date))
}
