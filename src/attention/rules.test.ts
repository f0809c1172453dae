import { expect, test } from 'vitest'
import { checkoutFindings, isBackupOld, isFailing, isLate, isNearlyFull, latePaymentsSince } from './rules.ts'

const GB = 1024 ** 3

test.for([
  [null, false],
  [899, false],
  [900, true],
] as const)('a queue whose oldest job has waited %s s is late: %s', ([longestWaitSeconds, late]) => {
  expect(isLate({ longestWaitSeconds })).toBe(late)
})

test('a payment is late after an hour', () => {
  expect(latePaymentsSince(Temporal.Instant.from('2026-12-07T09:00:00Z')).toString()).toBe('2026-12-07T08:00:00Z')
})

test.for([
  [1, 8, false],
  [1 - 1 / GB, 8, true],
  [5, 100, false],
  [5 - 1 / GB, 100, true],
  [10, 1000, false],
  [10 - 1 / GB, 1000, true],
  [49, 1000, false],
] as const)('%s of %s GB free: nearly full is %s', ([free, total, full]) => {
  expect(isNearlyFull({ free: free * GB, total: total * GB })).toBe(full)
})

test.for([
  ['2026-12-05T21:00:00Z', undefined, false],
  ['2026-12-05T20:59:59Z', undefined, true],
  ['2026-12-07T04:15:00Z', 'the disk is full', false],
  [undefined, 'the disk is full', true],
  [undefined, undefined, false],
] as const)('of a backup at %s and a failure “%s” at nine on the 7th: too old is %s', ([endedAt, failure, old]) => {
  const made = endedAt && { endedAt: Temporal.Instant.from(endedAt), file: 'f', bytes: 1, machine: 'm' }
  expect(isBackupOld({ made: made || undefined, failure }, Temporal.Instant.from('2026-12-07T09:00:00Z'))).toBe(old)
})

test.each([
  [19, 19, false],
  [20, 2, false],
  [20, 3, true],
  [30, 3, false],
  [31, 4, true],
  [0, 0, false],
])('of %i writes, %i server errors: failing is %s', (total, failed, failing) => {
  expect(isFailing({ total, failed })).toBe(failing)
})

const POLICY =
  "default-src 'none'; script-src 'self' 'sha256-abc=' https://js.stripe.com https://*.js.stripe.com; img-src *"
test.each<[string, string, string | null, string[]]>([
  ['the page as it is', '<script src="/assets/a.js"></script><script>x</script>', POLICY, []],
  ['Stripe’s script', '<script async src="https://js.stripe.com/v3/"></script>', POLICY, []],
  ['no policy', '', null, ['The page has no policy for scripts.']],
  ['another policy', '', 'default-src *', ['The page has no policy for scripts.']],
  [
    'inline scripts of anyone',
    '',
    `script-src 'self' 'unsafe-inline'`,
    [`The policy allows scripts from 'unsafe-inline'.`],
  ],
  ['any host', '', 'script-src https:', ['The policy allows scripts from https:.']],
  [
    'a skimmer',
    `<script src='https://js.stripe.com.evil.example/v3/'></script>`,
    POLICY,
    ['The page loads https://js.stripe.com.evil.example/v3/.'],
  ],
  [
    'a script without quotes',
    '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
    POLICY,
    ['The page loads https://evil.example/x.js.'],
  ],
])('the checkout page with %s', (_case, html, policy, findings) => {
  expect(checkoutFindings(html, policy, 'https://www.studio.example')).toEqual(findings)
})
