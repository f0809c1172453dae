import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pagePolicy } from '#platform/http/security-headers.ts'
import { studio } from '#studio.ts'

const page = (file: string) => readFileSync(join(import.meta.dirname, 'operations', file), 'utf8')

test('the record of processing has the retention that the nightly job applies', () => {
  const record = page('privacy-pack/record.md')
  const { contactYears, healthMonths, financialYears, recordMonths } = studio.policies.retention
  const until = (row: string) => record.match(new RegExp(`^\\| ${row}.*\\| ([^|]+) \\|$`, 'm'))?.[1]
  expect({
    accounts: until('accounts, passes'),
    health: until('teaching safely'),
    payments: until('payments'),
    security: until('sign-in security'),
  }).toEqual({
    accounts: `${contactYears} years after the last class`,
    health: `${healthMonths} months after the last class or save`,
    payments: `${financialYears} years`,
    security: `${recordMonths} months`,
  })
  expect(page('privacy-pack/dpia.md')).toContain(`${healthMonths} months after the last class`)
})

test('the card questionnaire lists every source from which the checkout may load scripts', () => {
  const scripts = pagePolicy('<script>1</script>', { stripe: true, reports: true }).match(/script-src ([^;]+)/)?.[1]
  const [own, hash, ...others] = scripts?.split(' ') ?? []
  expect([own, hash?.slice(0, 8)]).toEqual(["'self'", "'sha256-"])
  const cards = page('cards.md')
  for (const source of others) expect(cards).toContain(`\`${source}\``)
})
