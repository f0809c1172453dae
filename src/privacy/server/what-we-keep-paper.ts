import { currentFacts, loadVatByDay } from '#facts/server/facts.ts'
import { Paper } from '#payments/server/payments.ts'
import type { Reader } from '#platform/database/database.ts'
import { whatWeKeep } from '../register.ts'

const COLUMNS = [
  { head: 'What', share: 0.26 },
  { head: 'Why', share: 0.28 },
  { head: 'How long', share: 0.24 },
  { head: 'When a member is erased', share: 0.22 },
]

/** “What we keep and why” as PDF, for the record of processing. */
export async function whatWeKeepPaper(reader: Reader, now: Temporal.Instant) {
  const paper = await Paper.open('What we keep and why', await currentFacts(reader), (await loadVatByDay(reader))(now))
  const rows = whatWeKeep().map(({ title, why, kept, erased }) => [title, why, kept, erased])
  await paper.table(COLUMNS, rows)
  paper.end()
  return { name: 'what-we-keep.pdf', content: paper.content }
}
