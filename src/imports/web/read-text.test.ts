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

test('reads anything else as Windows-1252', () => {
  expect(textOf(Uint8Array.of(0x5a, 0x6f, 0xeb))).toEqual({ text: 'Zoë', encoding: 'Windows-1252' })
})

test('reads an empty file as empty text', () => {
  expect(textOf(new Uint8Array())).toEqual({ text: '', encoding: 'UTF-8' })
})
