import { expect, test } from 'vitest'
import { textOf } from './api.ts'

const TEXT = 'Name,Email\nZoë Łuczak,zoe@old.example'
const utf16 = (text: string, { mark, big }: { mark: boolean; big: boolean }) => {
  const bytes = Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le')
  return new Uint8Array(big ? bytes.swap16() : bytes)
}

test.each([
  ['UTF-8', new TextEncoder().encode(TEXT)],
  ['UTF-8', new TextEncoder().encode(`\ufeff${TEXT}`)],
  ['UTF-16', utf16(TEXT, { mark: true, big: false })],
  ['UTF-16', utf16(TEXT, { mark: true, big: true })],
  ['UTF-16', utf16(TEXT, { mark: false, big: false })],
  ['UTF-16', utf16(TEXT, { mark: false, big: true })],
])('reads %s with or without a byte order mark', (encoding, bytes) => {
  expect(textOf(bytes)).toEqual({ text: TEXT, encoding })
})

/** `René Zoë O’Neill`, with the bytes of its letters that are not ASCII. */
const names = (e: number, ë: number, apostrophe: number) =>
  Uint8Array.from([
    ...Buffer.from('Ren'),
    e,
    ...Buffer.from(' Zo'),
    ë,
    ...Buffer.from(' O'),
    apostrophe,
    ...Buffer.from('Neill'),
  ])

test.each([
  ['Windows-1252', names(0xe9, 0xeb, 0x92)],
  ['Mac Roman', names(0x8e, 0x91, 0xd5)],
])('tells %s by where its letters stand', (encoding, bytes) => {
  expect(textOf(bytes)).toEqual({ text: 'René Zoë O’Neill', encoding })
})

test('keeps the good letters of UTF-8 with a broken one', () => {
  const bytes = new Uint8Array([...new TextEncoder().encode('Zoë René Jos'), 0xe9])
  expect(textOf(bytes)).toEqual({ text: 'Zoë René Jos\ufffd', encoding: 'UTF-8 with errors' })
})

test('reads an empty file as empty text', () => {
  expect(textOf(new Uint8Array())).toEqual({ text: '', encoding: 'UTF-8' })
})
