import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { violations } from './testing/architecture.ts'

const files = globSync(['src/**/*.{ts,tsx}', '{stripe,twilio}-sandbox/**/*.ts']).map((file) =>
  file.replaceAll('\\', '/'),
)

test('the code keeps to the architecture', () => {
  expect(files.length).toBeGreaterThan(100)
  expect(violations(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])))).toEqual([])
})

describe('violations', () => {
  const breaking = (file: string, text: string, more: [string, string][] = []) =>
    violations(new Map([[file, text], ...more]))

  test.each([
    [
      'passes importing booking',
      'src/passes/server/a.ts',
      "import { x } from '#booking/contract.ts'",
      'no arrow from passes to booking',
    ],
    ['timetable importing booking', 'src/timetable/rules.ts', "import { x } from '#booking/rules.ts'", 'no arrow'],
    [
      'payments importing insights',
      'src/payments/server/a.ts',
      "import { x } from '#insights/contract.ts'",
      'no arrow',
    ],
    [
      'internal files of another part',
      'src/booking/server/a.ts',
      "import { x } from '#passes/server/grant.ts'",
      'not passes',
    ],
    [
      'a relative path to another part',
      'src/booking/server/a.ts',
      "import { x } from '../../passes/rules.ts'",
      "import it as '#passes/rules.ts'",
    ],
    [
      'a type from an internal file',
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
      'foundation importing a part',
      'src/foundation/a.ts',
      "import { x } from '#accounts/contract.ts'",
      'foundation may only import itself',
    ],
    ['ui importing a part', 'src/ui/a.tsx', "import { x } from '#booking/contract.ts'", 'ui must not import a part'],
    ['a part importing app', 'src/booking/server/a.ts', "import { x } from '#app/app.ts'", 'nothing may import app'],
    [
      'platform importing a part',
      'src/platform/http/a.ts',
      "import type { X } from '#accounts/contract.ts'",
      'platform must not import a part',
    ],
    [
      'a part importing the Stripe sandbox',
      'src/payments/server/a.ts',
      "import { x } from '../../../stripe-sandbox/sandbox.ts'",
      'only the demo and tests may import the Stripe sandbox',
    ],
    [
      'app importing it, which live mode loads too',
      'src/app/app.ts',
      "import { x } from '../../stripe-sandbox/sandbox.ts'",
      'only the demo and tests may import the Stripe sandbox',
    ],
    [
      'the sandbox importing the product',
      'stripe-sandbox/refunds.ts',
      "import { x } from '../src/foundation/money.ts'",
      'the Stripe sandbox must not import the product',
    ],
    [
      'the sandbox’s tests importing the product’s',
      'stripe-sandbox/refunds.test.ts',
      "import { x } from '../src/testing/test-databases.ts'",
      'the Stripe sandbox must not import the product',
    ],
    [
      'product code importing tests',
      'src/booking/server/a.ts',
      "import { x } from '../../testing/person.ts'",
      'only tests may import test code',
    ],
    [
      'a part importing a page',
      'src/booking/web/a.tsx',
      "import { x } from '#pages/member/booking.tsx'",
      'parts must not import pages',
    ],
    [
      'a folder of booking importing one above it',
      'src/booking/server/places/a.ts',
      "import { x } from '../waiting/b.ts'",
      'places is below waiting',
    ],
    [
      'a folder of booking importing what puts all together',
      'src/booking/server/regular/a.ts',
      "import { x } from '../booking.ts'",
      'regular is below the files of its part',
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

  test('reports browser code that reaches server code indirectly', () => {
    const detour: [string, string][] = [
      ['src/booking/rules.ts', "import { x } from './tables.ts'"],
      ['src/booking/tables.ts', ''],
    ]
    const found = breaking('src/pages/member/a.tsx', "import { x } from '#booking/rules.ts'", detour)
    expect(found).toEqual([
      'src/pages/member/a.tsx → src/booking/rules.ts → src/booking/tables.ts: the browser would load server code',
    ])
  })

  test('accepts what is allowed', () => {
    expect(breaking('src/booking/server/waiting/a.ts', "import { x } from '../places/b.ts'")).toEqual([])
    expect(breaking('src/booking/server/a.ts', "import { spendCredit } from '#passes/server/passes.ts'")).toEqual([])
    expect(
      breaking('src/booking/server/a.ts', "import { users } from '#accounts/tables.ts'\ntx.select().from(users)"),
    ).toEqual([])
    expect(breaking('src/pages/member/a.tsx', "import type { X } from '#booking/contract.ts'")).toEqual([])
  })
})
