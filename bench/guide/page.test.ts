import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from './page.ts'

test('of a page the commands are taken, each with its heading, and nothing else', () => {
  const page = [
    '# Page',
    '```sh',
    'first',
    '```',
    '## One',
    'Words `sh`.',
    '```sh',
    'a',
    'b',
    '```',
    '```ini',
    'x',
    '```',
  ]
  expect(blocksOf([...page, '## Two', '```sh', 'c', '```', ''].join('\n'))).toEqual([
    { heading: '# Page', commands: 'first\n' },
    { heading: 'One', commands: 'a\nb\n' },
    { heading: 'Two', commands: 'c\n' },
  ])
})

test('the guide has the headings at which its walk-through does something of its own', async () => {
  const guide = blocksOf(await readFile(join(import.meta.dirname, '../../docs/operations/debian.md'), 'utf8'))
  const headings = new Set(guide.map(({ heading }) => heading))
  const own = ['Packages', 'Settings', 'HTTPS', 'The first admin', 'When the machine is lost', 'A new release']
  expect(own.filter((heading) => !headings.has(heading))).toEqual([])
})
