import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { changesBetween, inWords, writeDifferences } from './compare.ts'
import { differenceOf } from './difference.ts'

const PAPER = { r: 251, g: 248, b: 243 }

/** A page of paper with a patch of ink in it. */
async function picture({ width = 40, height = 50, patch = 0, paper = PAPER } = {}): Promise<Buffer> {
  const page = sharp({ create: { width, height, channels: 3, background: paper } })
  if (patch === 0) return page.png().toBuffer()
  const ink = { create: { width: patch, height: patch, channels: 3 as const, background: '#2b2722' } }
  return page
    .composite([{ input: ink, left: 5, top: 5 }])
    .png()
    .toBuffer()
}

function folderOf(pictures: Record<string, Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-pictures-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [file, bytes] of Object.entries(pictures)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), bytes)
  }
  return folder
}

test('a picture differs by the share of its pixels that do', async () => {
  const difference = await differenceOf(await picture(), await picture({ patch: 10 }))
  expect(difference?.share).toBe(100 / (40 * 50))
  const patch = await sharp(difference?.picture).extract({ left: 6, top: 6, width: 8, height: 8 }).png().toBuffer()
  const { dominant } = await sharp(patch).stats()
  expect(dominant.r).toBeGreaterThan(dominant.g + 100)
})

test('what only one of them has is different, and a breath of colour is not', async () => {
  expect((await differenceOf(await picture(), await picture({ height: 100 })))?.share).toBe(0.5)
  expect((await differenceOf(await picture({ width: 80 }), await picture()))?.share).toBe(0.5)
  expect(await differenceOf(await picture(), await picture({ paper: { ...PAPER, b: 240 } }))).toBeUndefined()
  expect(await differenceOf(await picture(), await picture())).toBeUndefined()
})

test('folders are compared by the scenes’ names, the most different first; the page shows nothing else', async () => {
  const older = folderOf({
    'wide/01-home.png': await picture(),
    'wide/02-about.png': await picture(),
    'phone/01-home.png': await picture(),
    'phone/03-gone.png': await picture(),
  })
  const newer = folderOf({
    'wide/001-home.png': await picture({ patch: 3 }),
    'wide/003-about.png': await picture({ patch: 20 }),
    'phone/001-home.png': await picture(),
    'wide/002-<new>.png': await picture(),
  })
  const changes = await changesBetween(older, newer)
  expect(changes.map(({ name }) => name)).toEqual(['wide/about', 'wide/home', 'wide/<new>', 'phone/gone'])
  expect(inWords(changes)).toBe('2 different, 1 new, 1 gone.')
  const page = readFileSync(await writeDifferences(older, newer, changes), 'utf8')
  expect([...page.matchAll(/<h2>(.*?) <small>(.*?)</g)].map(([, name, what]) => [name, what])).toEqual([
    ['wide/about', '20.00 %'],
    ['wide/home', '0.45 %'],
    ['wide/&#60;new&#62;', 'new'],
    ['phone/gone', 'gone'],
  ])
  for (const [, file = ''] of page.matchAll(/src="([^"]+)"/g)) {
    const name = decodeURI(file).replaceAll('&#60;', '<').replaceAll('&#62;', '>')
    expect(readFileSync(join(newer, name)).length).toBeGreaterThan(0)
  }
  // The pictures of the page are no scenes of the next comparison.
  expect(await changesBetween(newer, newer)).toEqual([])
})
