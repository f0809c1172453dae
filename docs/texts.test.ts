import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Row = { text: string; file: string; title: string }

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The rows of a page of tables, those without a test included. */
function rowsOf(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    if (!/^\| /.test(line) || /^\| (---|text or state) /.test(line)) return []
    const cells = line.slice(2, -2).split(' | ')
    const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(cells[2]?.trim() ?? '') ?? []
    return [{ text: cells[0] ?? '', file, title: title.trim() }]
  })
}

/** Whether a file of tests has one with this title; `${…}` in a title stands for anything. */
function hasTest(source: string, title: string): boolean {
  const titles = source.matchAll(/\btest\(\s*(['"`])((?:(?!\1).)+)\1/g)
  return [...titles].some(([, , written = '']) => {
    const pattern = written
      .split(/\$\{[^}]*\}/)
      .map((part) => RegExp.escape(part))
      .join('.+')
    return new RegExp(`^${pattern}$`).test(title)
  })
}

/** What is wrong with the rows, a sentence each. */
function faultsOf(rows: readonly Row[], sourceOf: (file: string) => string | undefined, shared = ''): string[] {
  return rows.flatMap(({ text, file, title }) => {
    if (!file || !title) return [`no test: ${text}`]
    const source = sourceOf(file)
    if (source === undefined || !hasTest(source, title)) return [`no such test: ${file}: ${title}`]
    const quoted = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, words = '']) => words.split(/\{[^}]+\}/))
    const unsaid = quoted.filter((words) => words && !`${source}${shared}`.includes(words.trim()))
    return unsaid.map((words) => `${file} does not say "${words}" (${title})`)
  })
}

const maybe = (file: string) => {
  try {
    return read(file)
  } catch {
    return undefined
  }
}

test('every text and state of docs/texts.md has a test that exists and says the words', () => {
  const rows = rowsOf(read('docs/texts.md'))
  expect(rows.length).toBeGreaterThan(90)
  expect(faultsOf(rows, maybe, read('e2e/member.ts'))).toEqual([])
})

describe('this very check', () => {
  const source = `test('says hello', () => { expect('Hello there') })
  test(\`greets \${name} twice\`, () => {})`
  const faults = (row: string) => faultsOf(rowsOf(row), (file) => (file === 'a.spec.ts' ? source : undefined))

  test('finds a row without a test', () => {
    expect(faults('| `Hello there` | 2 |  |')).toEqual(['no test: `Hello there`'])
    expect(faults('| `Hello there` | 2 |')).toEqual(['no test: `Hello there`'])
  })

  test('finds a test or a file that does not exist', () => {
    expect(faults('| greeting | 2 | `a.spec.ts`: says goodbye |')).toHaveLength(1)
    expect(faults('| greeting | 2 | `b.spec.ts`: says hello |')).toHaveLength(1)
  })

  test('finds words that the test does not say', () => {
    expect(faults('| `Good night` | 2 | `a.spec.ts`: says hello |')).toHaveLength(1)
  })

  test('is content with what is there, titles with something in them included', () => {
    expect(faults('| `Hello {whoever}` | 2 | `a.spec.ts`: says hello |')).toEqual([])
    expect(faults('| twice | 2 | `a.spec.ts`: greets Ana twice |')).toEqual([])
  })
})
