import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The list items of the page, each with the test file named above it. */
function itemsOf(page: string): { file: string; text: string }[] {
  let file = ''
  return page.split('\n').flatMap((line) => {
    if (line.startsWith('#')) file = ''
    file = /^`([^`]+)`$/.exec(line)?.[1] ?? file
    return line.startsWith('- ') ? [{ file, text: line.slice(2) }] : []
  })
}

/** Whether a test file has a test with this title; `${…}` in a title matches anything. */
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

test('every specified text of docs/texts.md is in the test file named above it', () => {
  const items = itemsOf(read('docs/texts.md'))
  expect(items.length).toBeGreaterThan(200)
  const shared = read('e2e/member.ts')
  const missing = items.flatMap(({ file, text }) => {
    const source = file ? read(file) : ''
    const title = /^test: (.+)$/.exec(text)?.[1]
    if (title) return hasTest(source, title) ? [] : [`${file} has no test "${title}"`]
    const quoted = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, words = '']) => words.split(/\{[^}]+\}/))
    if (quoted.length === 0) return [`nothing to check: ${text}`]
    return quoted
      .filter((words) => !`${source}${shared}`.includes(words.trim()))
      .map((words) => `${file} does not contain "${words}"`)
  })
  expect(missing).toEqual([])
})
