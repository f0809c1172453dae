import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Row = { numbers: string[]; verdict: string; where: string }

const root = join(import.meta.dirname, '..')
const VERDICTS = ['met', 'not applicable', 'not met']
/** A requirement that is not met is a decision; more than these would be a plan. */
const MOST_NOT_MET = 5

const byChapter = JSON.parse(readFileSync(join(import.meta.dirname, 'asvs.numbers.json'), 'utf8')) as Record<
  string,
  string
>
/** Every number of levels 1 and 2 of ASVS 5.0.0, as its authors publish them. */
const NUMBERS = Object.entries(byChapter).flatMap(([chapter, rest]) => rest.split(' ').map((of) => `${chapter}.${of}`))

/** The rows of the page's tables whose first cell holds numbers. */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    if (!/^\| V\d/.test(line)) return []
    const [numbers = '', , verdict = '', where = ''] = line.slice(2, -2).split(' | ')
    return [{ numbers: numbers.split(', '), verdict: verdict.trim(), where: where.trim() }]
  })
}

/** The files that a text names: what stands in backticks and has a folder and an ending, and what a link leads to. */
function filesOf(text: string): string[] {
  const named = [...text.matchAll(/`((?:[\w.@-]+\/)+[\w.@-]+\.\w+)`/g)].map(([, file = '']) => file)
  const linked = [...text.matchAll(/\]\(([\w./-]+\.md)(?:#[\w-]+)?\)/g)].map(([, file = '']) => join('docs', file))
  return [...named, ...linked]
}

/** What is wrong with the page, a sentence each. */
function faultsOf(page: string, numbers: readonly string[], exists: (file: string) => boolean): string[] {
  const rows = rowsOf(page)
  const seen = rows.flatMap((row) => row.numbers)
  const notMet = rows.filter(({ verdict }) => verdict === 'not met').flatMap((row) => row.numbers)
  return [
    ...numbers.filter((number) => !seen.includes(number)).map((number) => `${number} is missing`),
    ...seen.filter((number) => !numbers.includes(number)).map((number) => `${number} is no number of level 1 or 2`),
    ...seen.filter((number, at) => seen.indexOf(number) !== at).map((number) => `${number} stands there twice`),
    ...filesOf(page).flatMap((file) => (exists(file) ? [] : [`there is no ${file}`])),
    ...rows.flatMap(({ numbers: [first], verdict, where }) => {
      if (!VERDICTS.includes(verdict)) return [`${first}: no verdict`]
      if (verdict === 'met' && filesOf(where).length === 0) return [`${first}: met, and nothing says where`]
      return where ? [] : [`${first}: no reason`]
    }),
    ...(notMet.length > MOST_NOT_MET ? [`${notMet.length} are not met`] : []),
  ]
}

test('docs/asvs.md names every requirement of levels 1 and 2 once, what it names exists, and at most five are not met', () => {
  expect(NUMBERS).toHaveLength(253)
  const page = readFileSync(join(root, 'docs/asvs.md'), 'utf8')
  expect(faultsOf(page, NUMBERS, (file) => existsSync(join(root, file)))).toEqual([])
})

describe('this very check', () => {
  const row = (numbers: string, verdict = 'met', where = '`src/a.ts`') =>
    `| ${numbers} | what is asked | ${verdict} | ${where} |`
  const faults = (numbers: string, ...rows: string[]) =>
    faultsOf(rows.join('\n'), numbers.split(' '), (file) => ['src/a.ts', 'docs/a.md'].includes(file))

  test('is content with what is there', () => {
    expect(faults('V1.1.1 V1.1.2 V2.1.10', row('V1.1.1, V1.1.2'), row('V2.1.10', 'not met', 'why'))).toEqual([])
    expect(faults('V1.1.1', row('V1.1.1', 'met', '[there](a.md#part)'))).toEqual([])
  })

  test('finds a number that is missing, unknown or there twice', () => {
    expect(faults('V1.1.1 V1.1.2', row('V1.1.1'))).toEqual(['V1.1.2 is missing'])
    expect(faults('V1.1.1', row('V1.1.1, V1.1.10'))).toEqual(['V1.1.10 is no number of level 1 or 2'])
    expect(faults('V1.1.1', row('V1.1.1'), row('V1.1.1'))).toEqual(['V1.1.1 stands there twice'])
  })

  test('finds a file that does not exist, a verdict without words or place', () => {
    expect(faults('V1.1.1', row('V1.1.1', 'met', '`src/b.ts`'))).toEqual(['there is no src/b.ts'])
    expect(faults('V1.1.1', row('V1.1.1', 'met', '[there](b.md)'))).toEqual(['there is no docs/b.md'])
    expect(faults('V1.1.1', row('V1.1.1', 'met', 'somewhere'))).toEqual(['V1.1.1: met, and nothing says where'])
    expect(faults('V1.1.1', row('V1.1.1', 'mostly'))).toEqual(['V1.1.1: no verdict'])
    expect(faults('V1.1.1', row('V1.1.1', 'not applicable', ''))).toEqual(['V1.1.1: no reason'])
  })

  test('counts what is not met by number', () => {
    const six = ['V1.1.1', 'V1.1.2', 'V1.1.3', 'V1.1.4', 'V1.1.5', 'V1.1.6']
    expect(faults(six.join(' '), row(six.join(', '), 'not met', 'why'))).toEqual(['6 are not met'])
  })
})
