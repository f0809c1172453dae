import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openEmptyStudio, openStudio } from '#testing/studio-under-test.ts'

test('trims every name on the server; free texts are not trimmed', async () => {
  const { studio, ana, boris, dora } = await openStudio()
  const when = { date: '2026-12-09', startTime: '09:30', endTime: '10:15' }
  const made = await dora.request('POST', '/api/classes', {
    ...when,
    title: ' Duo ',
    description: ' as written ',
    instructorName: '\tEleanor ',
  })
  expect(made.body).toMatchObject({ title: 'Duo', description: ' as written ', instructorName: 'Eleanor' })
  const edited = await dora.request('PUT', `/api/classes/${made.body.id}`, {
    title: ' Solo\n',
    instructorName: ' Ann ',
  })
  expect(edited.body).toMatchObject({ title: 'Solo', instructorName: 'Ann' })
  const offer = { name: ' Eight ', price: '424', classCount: 8, validityMonths: 4 }
  const sold = await dora.request('POST', '/api/packages', offer)
  expect(sold.body.name).toBe('Eight')
  expect((await dora.request('PUT', `/api/packages/${sold.body.id}`, { name: ' Nine' })).body.name).toBe('Nine')
  const names = { firstName: ' Boris\t', lastName: ' B ', username: ' boris ', email: ' boris@new.example ' }
  const user = await dora.request('PUT', `/api/admin/users/${boris.id}`, names)
  expect(user.body).toMatchObject({ firstName: 'Boris', lastName: 'B', username: 'boris', email: 'boris@new.example' })
  const contact = {
    contactName: ' Sam ',
    relationship: ' Partner ',
    phoneNumber: '01632 960199',
    email: ' s@x.example ',
  }
  await ana.request('POST', '/api/health/emergency-contact', contact)
  const saved = await ana.request('GET', '/api/health/emergency-contact')
  expect(saved.body).toMatchObject({ name: 'Sam', relationship: ' Partner ', email: 's@x.example' })
  await studio.visitor().request('POST', '/api/newsletter', { email: ' reader@people.example ' })
  expect(await studio.count("select count(*) from newsletter_subscribers where email = 'reader@people.example'")).toBe(
    1,
  )
})

test('reports a blank name in an edit as missing', async () => {
  const { boris, dora } = await openStudio()
  const edit = (body: object) => dora.request('PUT', `/api/admin/users/${boris.id}`, body)
  expect((await edit({ firstName: '  ' })).body.message).toBe('First name is required')
  expect((await edit({ username: ' ab ' })).body.message).toBe('Username must be at least 3 characters')
})

test('refuses names with blanks around them in the database', async () => {
  const { studio } = await openStudio()
  await studio.createClass('Tuesday 18:00')
  await studio.createPackage()
  const { pool } = studio.server.database
  for (const [change, constraint] of [
    ["update users set first_name = ' x'", 'names_of_users_are_trimmed'],
    ["update users set username = id || E'\\t'", 'names_of_users_are_trimmed'],
    ["update classes set title = U&'x\\00A0'", 'names_in_classes_are_trimmed'],
    ["update packages set name = 'x '", 'names_of_packages_are_trimmed'],
  ] as const) {
    const error = await pool.query(change).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ constraint })
  }
  const blanks = [...Array(65_536).keys()].map((code) => String.fromCharCode(code)).filter((text) => text.trim() === '')
  const { rows } = await pool.query('select trimmed($1) as text', [`${blanks.join('')}x y${blanks.join('')}`])
  expect(rows).toEqual([{ text: 'x y' }])
})

test('trims existing names; replaces a username that would then be taken or too short', async () => {
  const studio = await openEmptyStudio()
  const { pool } = studio.server.database
  await pool.query('drop function trimmed cascade')
  const before = ['bob', ' Bob', '\tcleo\u00a0', ' eve', 'eve ', ' ab ', 'dan@people.example ']
  for (const [n, username] of before.entries()) {
    await pool.query(
      "insert into users (id, username, email, first_name, last_name, created_at) values ($1, $2, $3, ' A ', 'B', now())",
      [`user-${n}`, username, n === 0 ? 'dan@people.example' : `user${n}@people.example`],
    )
  }
  const [migration = ''] = globSync('migrations/*_names_are_trimmed.sql')
  await pool.query(await readFile(migration, 'utf8'))
  const { rows } = await pool.query('select username, first_name from users order by id')
  expect(rows.map(({ username }) => username)).toEqual([
    'bob',
    'user-1',
    'cleo',
    'user-3',
    'user-4',
    'user-5',
    'user-6',
  ])
  expect(new Set(rows.map(({ first_name }) => first_name))).toEqual(new Set(['A']))
})
