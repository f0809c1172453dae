import { expect, test } from 'vitest'
import { REGISTER } from '#privacy/register.ts'
import { LOST_RIGHTS } from './rights.ts'
import { HAPPENED_SINCE } from './since-backup.ts'

/** What a restore repeats without the list of rights: erasures, withdrawals and receipt numbers. */
const OTHERS = ['erasures', 'health_questionnaires', 'emergency_contacts', 'marketing_objections', 'receipt_counter']
/** Admins' changes are counted as lines of the audit log, whatever they changed. */
const CHANGED_BY_ADMINS =
  /^(class|planned|closed|closures|packages|studio_facts|member_notes|complaints|session_notes|promotion_uses)/

test('a restore repeats and reports what the register says, and nothing else', () => {
  const rights = LOST_RIGHTS.map(({ found, repeat }) => found + repeat).join()
  const counts = Object.values(HAPPENED_SINCE).join()
  const nouns: Record<string, RegExp> = {
    bookings: /taken_places/,
    passes: /purchases/,
    payment_intents: /payment_intent_id/,
  }
  for (const [table, { restore }] of Object.entries(REGISTER)) {
    const written = new RegExp(`(update|delete from|insert into) ${table}\\b`)
    const isRepeated = written.test(rights) || OTHERS.includes(table)
    if (restore === 'repeated' || isRepeated) expect([table, restore, isRepeated]).toEqual([table, 'repeated', true])
    const isCounted = (nouns[table] ?? new RegExp(`\\b${table}\\b`)).test(counts) || CHANGED_BY_ADMINS.test(table)
    if (restore === 'reported') expect(isCounted, `${table} is in no count of the report`).toBe(true)
  }
})
