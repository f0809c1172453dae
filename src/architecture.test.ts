import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { violations } from './testing/architecture.ts'

const files = globSync(['src/**/*.{ts,tsx}', 'stripe-sandbox/**/*.ts']).map((file) => file.replaceAll('\\', '/'))

test('the house keeps its rules', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(violations(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))).toEqual([])
})

describe('the rules are seen to fail', () => {
  const breaking = (file: string, text: string, more: [string, string][] = []) =>
    violations(new Map([[file, text], ...more]))

  test.each([
    [
      'passes knowing booking',
      'src/passes/server/a.ts',
      "import { x } from '#booking/contract.ts'",
      'no arrow from passes to booking',
    ],
    ['timetable knowing booking', 'src/timetable/rules.ts', "import { x } from '#booking/rules.ts'", 'no arrow'],
    ['anybody knowing insights', 'src/payments/server/a.ts', "import { x } from '#insights/contract.ts'", 'no arrow'],
    [
      'another part’s inner files',
      'src/booking/server/a.ts',
      "import { x } from '#passes/server/grant.ts'",
      'not passes',
    ],
    [
      'a relative path to another part',
      'src/booking/server/a.ts',
      "import { x } from '../../passes/rules.ts'",
      "across parts it is '#passes/rules.ts'",
    ],
    [
      'a type from an inner file',
      'src/booking/server/a.ts',
      "import type { X } from '#passes/server/grant.ts'",
      'not passes',
    ],
    [
      'a dynamic import',
      'src/booking/server/a.ts',
      "const x = await import('#payments/server/payments.ts')",
      'no arrow',
    ],
    [
      'foundation knowing a part',
      'src/foundation/a.ts',
      "import { x } from '#accounts/contract.ts'",
      'nothing but itself',
    ],
    ['ui knowing a part', 'src/ui/a.tsx', "import { x } from '#booking/contract.ts'", 'no domain word'],
    ['a part knowing the assembly', 'src/booking/server/a.ts', "import { x } from '#app/app.ts'", 'imported by nobody'],
    [
      'the platform knowing a part',
      'src/platform/http/a.ts',
      "import type { X } from '#accounts/contract.ts'",
      'knows no part',
    ],
    [
      'a part knowing the card provider’s stand-in',
      'src/payments/server/a.ts',
      "import { x } from '../../../stripe-sandbox/sandbox.ts'",
      'only the demo, and tests, know the stand-in',
    ],
    [
      'the site knowing it, which live loads too',
      'src/app/app.ts',
      "import { x } from '../../stripe-sandbox/sandbox.ts'",
      'only the demo, and tests, know the stand-in',
    ],
    [
      'the stand-in knowing the product',
      'stripe-sandbox/refunds.ts',
      "import { x } from '../src/foundation/money.ts'",
      'knows nothing of the product',
    ],
    [
      'the stand-in’s tests knowing the product’s',
      'stripe-sandbox/refunds.test.ts',
      "import { x } from '../src/testing/test-databases.ts'",
      'knows nothing of the product',
    ],
    [
      'product code knowing tests',
      'src/booking/server/a.ts',
      "import { x } from '../../testing/person.ts'",
      'for tests',
    ],
    [
      'a part knowing a page',
      'src/booking/web/a.tsx',
      "import { x } from '#pages/member/booking.tsx'",
      'does not know pages',
    ],
    [
      'writing another part’s table',
      'src/booking/server/a.ts',
      "import { passes } from '#passes/tables.ts'\nawait tx.update(passes).set({})",
      'only passes writes its tables',
    ],
  ])('%s', (_case, file, text, why) => {
    expect(breaking(file, text).join('\n')).toContain(why)
  })

  test('the browser reaching server code by a detour', () => {
    const detour: [string, string][] = [
      ['src/booking/rules.ts', "import { x } from './tables.ts'"],
      ['src/booking/tables.ts', ''],
    ]
    const found = breaking('src/pages/member/a.tsx', "import { x } from '#booking/rules.ts'", detour)
    expect(found).toEqual([
      'src/pages/member/a.tsx → src/booking/rules.ts → src/booking/tables.ts: the browser would load server code',
    ])
  })

  test('what is allowed is not named', () => {
    expect(breaking('src/booking/server/a.ts', "import { spendCredit } from '#passes/server/passes.ts'")).toEqual([])
    expect(
      breaking('src/booking/server/a.ts', "import { users } from '#accounts/tables.ts'\ntx.select().from(users)"),
    ).toEqual([])
    expect(breaking('src/pages/member/a.tsx', "import type { X } from '#booking/contract.ts'")).toEqual([])
  })
})
