import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../..')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|under-test|^testing\//.test(file))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(SRC, file), 'utf8') }))
/** The files whose code matches, for example a statement that writes bookings. */
const filesWith = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('takes places in one file, and ends them in one other', () => {
  expect(filesWith(/insert\(bookings\)|insert into bookings/)).toEqual(['booking/server/places/take-places.ts'])
  expect(filesWith(/delete\(bookings\)|delete from bookings/)).toEqual([])
  const sets = (status: string) => new RegExp(`update\\(bookings\\)\\s*\\.set\\(\\{[^}]*status: [^,]*'${status}'`)
  expect(filesWith(sets('confirmed'))).toEqual(['booking/server/places/take-places.ts'])
  expect(filesWith(sets('cancelled'))).toEqual(['booking/server/places/give-up-places.ts'])
})

test('lets other parts read only places with a holder', () => {
  // `schedule` changes classes with the places in them.
  const readers = filesWith(/import \{[^}]*\bbookings\b[^}]*\} from '#booking\/tables\.ts'/).filter(
    (file) => !file.startsWith('schedule/'),
  )
  // Places that are held concern their payer, too.
  const ofPayers = ['complaints', 'delete-user', 'due-members'].map((name) => `privacy/server/${name}.ts`)
  expect(readers).toEqual(['payments/server/begin-requests.ts', ...ofPayers])
})
