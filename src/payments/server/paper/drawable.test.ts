import { buffer } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { initialFacts } from '#studio.ts'
import { Paper, toDrawable, WIDE_RANGES } from './paper.ts'

/** The characters for which a PDF has glyphs, from its fonts' maps. */
async function drawnOn(lines: readonly string[]): Promise<Set<string>> {
  const paper = await Paper.open('Receipt 1', initialFacts, null)
  for (const line of lines) paper.line(line)
  await paper.table(
    [{ head: 'Member', share: 1 }],
    lines.map((line) => [line]),
  )
  paper.end()
  const file = await buffer(paper.content)
  const maps = [...file.toString('latin1').matchAll(/stream\n([\s\S]*?)\nendstream/g)]
    .map(([, content = '']) => Buffer.from(content, 'latin1'))
    .filter((content) => content[0] === 0x78)
    .map((content) => inflateSync(content).toString('latin1'))
    .filter((content) => content.includes('beginbfrange'))
  const hex = maps.flatMap((map) =>
    [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, row = '']) => row.match(/[0-9a-f]{4}/g) ?? []),
  )
  return new Set(hex.map((unit) => String.fromCharCode(Number.parseInt(unit, 16))))
}

test.each([
  ['Łucja Żółć, £12.00', 'Łucja Żółć, £12.00', 'house'],
  ['Γιώργος Παπαδόπουλος', 'Γιώργος Παπαδόπουλος', 'wide'],
  ['Олена Ґалаґан', 'Олена Ґалаґан', 'wide'],
  ['Nguyễn Thị Hương', 'Nguyễn Thị Hương', 'wide'],
  ['Nguyễn'.normalize('NFD'), 'Nguyễn', 'wide'],
  ['محمد', 'mhmd', 'house'],
  ['李', 'Li', 'house'],
  ['Γιώργος 李', 'Γιώργος Li', 'wide'],
  ['Zoë 🌸 Bloom', 'Zoë Bloom', 'house'],
  ['Ana 😀', 'Ana', 'house'],
  ['👍🏽 Ana ❤️.', 'Ana.', 'house'],
  ['✔ Ana 🇬🇧', 'Ana', 'house'],
  ['👩‍👧', '', 'house'],
  ['Room 1️⃣', 'Room 1', 'house'],
  ['فاطمة', 'fatmh', 'house'],
  ['अमित', 'amit', 'house'],
  ['A\u{f0000}n\uFFFDna', 'Anna', 'house'],
  ['Ana?', 'Ana?', 'house'],
] as const)('draws %s as %s', async (name, text, font) => {
  expect(toDrawable(name)).toEqual({ text, font })
  expect((await drawnOn([name])).isSupersetOf(new Set(text))).toBe(true)
})

test('both fonts have every letter drawn with them', async () => {
  const wide = WIDE_RANGES.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)),
  )
  const house = wide.filter((char) => toDrawable(char).font === 'house')
  expect(house.length).toBeGreaterThan(250)
  // The wide font then draws the whole text.
  for (const text of [house, wide.map((char) => `Ж${char}`)]) {
    const drawn = await drawnOn(text)
    expect(
      text
        .join('')
        .split('')
        .filter((char) => !drawn.has(char.normalize('NFC'))),
    ).toEqual([])
  }
})
