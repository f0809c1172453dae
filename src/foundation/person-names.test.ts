import { expect, test } from 'vitest'
import { NO_LINKS, personName } from './person-names.ts'

const errorOf = (name: unknown) => personName('First name is required').safeParse(name).error?.issues[0]?.message

test.each([
  'Ana',
  'St. John',
  'St.John',
  'D.J.',
  'J.R.R.',
  'D.J.Smith',
  'Anne-Marie',
  "O'Neill",
  'María José',
  'van der Berg',
  'Smith, Jr.',
  'Ann (Annie)',
  'Nguyễn',
  '李小龍',
  'Ana/Maria',
  'Mac.Kenzie',
  'Ph.D.',
  'X',
])('%s is a name', (name) => {
  expect(errorOf(name)).toBeUndefined()
})

test.each([
  'http://evil.example',
  'HTTPS:evil',
  'Win a prize at https://evil.example/x',
  'ftp://evil',
  'www.evil.example',
  'evil.com',
  'Dear evil.com customer',
  'evil.com/prize',
  'evil.museum/prize',
  'evil.museum:8080',
  'evil.co.uk',
  'EVIL.COM.',
  'ｅｖｉｌ．ｃｏｍ',
  'evil。com',
  'ana@evil.example',
  '192.0.2.1',
  'Ana\nYour account is blocked',
  'Ana\u2028Pay here',
  'Ana\u0000',
])('%j is not a name', (name) => {
  expect(errorOf(name)).toBe(NO_LINKS)
})

test('trims a name and checks first whether it is missing', () => {
  expect(personName('First name is required').parse('  Ana ')).toBe('Ana')
  for (const missing of [undefined, null, '', ' \n ']) expect(errorOf(missing)).toBe('First name is required')
})
