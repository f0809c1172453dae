import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { WEEKDAYS } from '#foundation/dates.ts'
import { CSV } from '#platform/http/csv.ts'
import { METHODS, type Report } from '../contract.ts'
import type { Period } from './report.ts'

/** A report as a file for spreadsheets: one figure a line. */
export function reportFile(report: Report, { from, to }: Period) {
  const period = `${from} to ${to}`
  const rows = [
    ...report.revenue.flatMap(({ month, revenue, purchases }) => [
      ['Revenue (£)', month, revenue],
      ['Purchases', month, purchases],
    ]),
    ...report.byMethod.flatMap(({ method, revenue, purchases }) => [
      [`Revenue (£), ${METHODS[method]}`, period, revenue],
      [`Purchases, ${METHODS[method]}`, period, purchases],
    ]),
    ...report.busy.map(({ weekday, hour, bookings }) => [
      'Bookings',
      `${WEEKDAYS[weekday - 1]} ${String(hour).padStart(2, '0')}:00`,
      bookings,
    ]),
    ['Places offered', period, report.fill.places],
    ['Places taken', period, report.fill.taken],
    ['Credits outstanding', 'now', report.outstanding.credits],
    ['Credits outstanding (£)', 'now', report.outstanding.value],
    ['Credits expired unused', period, report.breakage.credits],
    ['Credits expired unused (£)', period, report.breakage.value],
  ]
  const content = Readable.from([stringify(rows, { ...CSV, header: true, columns: ['Figure', 'When', 'Value'] })])
  return { name: `figures-${from}-to-${to}.csv`, content }
}
