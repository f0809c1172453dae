import { expect, test } from 'vitest'
import { openStudio } from '#testing/studio-under-test.ts'

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
