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
])('%s is read, with its mark or without', (encoding, bytes) => {
  expect(textOf(bytes)).toEqual({ text: TEXT, encoding })
})

test('what is no UTF-8 is read as older versions of Excel save it', () => {
  expect(textOf(Uint8Array.of(0x5a, 0x6f, 0xeb))).toEqual({ text: 'Zoë', encoding: 'Windows-1252' })
})

test('an empty file is empty', () => {
  expect(textOf(new Uint8Array())).toEqual({ text: '', encoding: 'UTF-8' })
})
