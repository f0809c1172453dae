import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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
