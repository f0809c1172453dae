import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { defined } from '#foundation/collections.ts'
import { endpoints } from '#testing/contracts.ts'
import type { TestResponse } from '#testing/person.ts'
import { shareStudio } from '#testing/studio-under-test.ts'
import { pathOf, withBody } from './endpoints-under-test.ts'
import { samples } from './samples-under-test.ts'

const story = shareStudio()

describe('keeps text exactly as sent but for invisible characters, and trims and composes names', () => {
  const NAMES = /^(title|instructorName|name|firstName|contactName)$/
  const texts = [
    'Zoë 👩🏽‍🦰 日本',
    'مرحبا بالعالم \u202E x',
    ' kept  spaces ',
    'O\'Neill "<b>&amp;</b>" \\ %00 $1',
    'e\u0301 ﷽ \u{10FFFF}',
  ]
  const withoutMark = 'مرحبا بالعالم  x'
  const asText = [texts[0], withoutMark, ...texts.slice(2)]
  const asName = [texts[0], withoutMark, 'kept  spaces', texts[3], '\u00e9 ﷽ \u{10FFFF}']
  const kept: [string, string, (sent: object, text: string) => Promise<TestResponse>, (body: never) => unknown][] = [
    ['a class’s title', 'title', (s) => sendSample('timetable.createClass', s), (b: { title: string }) => b.title],
    [
      'its description',
      'description',
      (s) => sendSample('timetable.createClass', s),
      (b: { description: string }) => b.description,
    ],
    [
      'its instructor',
      'instructorName',
      (s) => sendSample('timetable.createClass', s),
      (b: { instructorName: string }) => b.instructorName,
    ],
    ['a package’s name', 'name', (s) => sendSample('packages.createPackage', s), (b: { name: string }) => b.name],
    [
      'its description',
      'description',
      (s) => sendSample('packages.createPackage', s),
      (b: { description: string }) => b.description,
    ],
    [
      'a user’s name',
      'firstName',
      (s) => sendSample('accounts.editUser', s),
      (b: { firstName: string }) => b.firstName,
    ],
    [
      'a contact’s name',
      'contactName',
      (s) => sendSample('health.saveEmergencyContact', s),
      (b: { name: string }) => b.name,
    ],
    [
      'a relationship',
      'relationship',
      (s) => sendSample('health.saveEmergencyContact', s),
      (b: { relationship: string }) => b.relationship,
    ],
    [
      'a response',
      'allergies',
      (s) => sendSample('health.saveQuestionnaire', s),
      (b: { allergies: string }) => b.allergies,
    ],
    [
      'a long response',
      'specificConcerns',
      (s) => sendSample('health.saveQuestionnaire', s),
      (b: { specificConcerns: string }) => b.specificConcerns,
    ],
  ]

  function sendSample(name: string, change: object): Promise<TestResponse> {
    const endpoint = defined(endpoints.get(name))
    return story.dora.request(endpoint.method, pathOf(endpoint, story.boris.id), { ...samples[name], ...change })
  }

  test.each(kept)('%s (%s)', async (_, field, send, read) => {
    for (const [index, text] of texts.entries()) {
      const { status, body } = await send({ [field]: text, unknownField: 'x' }, text)
      expect([200, 201]).toContain(status)
      expect(read(body as never)).toBe((NAMES.test(field) ? asName : asText)[index])
      expect(body).not.toHaveProperty('unknownField')
    }
  })

  test('returns a text as it was typed, to the member and in lists', async () => {
    const { dora } = story
    await sendSample('health.saveQuestionnaire', { allergies: texts[1] })
    expect((await dora.request('GET', '/api/health/questionnaire')).body.allergies).toBe(withoutMark)
    const { body: made } = await sendSample('timetable.createClass', { title: texts[0] })
    const { body: listed } = await dora.request('GET', '/api/classes')
    expect(listed.find(({ id }: { id: number }) => id === made.id).title).toBe(texts[0])
  })

  test('accepts 5,000 characters in a long text but not in a name', async () => {
    const long = 'ß'.repeat(5000)
    expect((await sendSample('health.saveQuestionnaire', { allergies: long })).body.allergies).toBe(long)
    for (const [name, field] of [
      ['packages.createPackage', 'name'],
      ['timetable.createClass', 'title'],
      ['accounts.editUser', 'firstName'],
      ['accounts.editUser', 'username'],
      ['health.saveEmergencyContact', 'contactName'],
    ] as const) {
      const { status, body } = await sendSample(name, { [field]: long })
      expect([name, status, body.errors?.[0]?.path]).toEqual([name, 400, field])
    }
  })
})

test('has a sample of all fields of every body', () => {
  expect(Object.keys(samples).sort()).toEqual(withBody.map(([name]) => name).sort())
  for (const [name, { body }] of withBody) {
    const { options } = body as z.ZodDiscriminatedUnion<z.ZodObject[]>
    const shapes = (options ?? [body as z.ZodObject]).map(({ shape }) => Object.keys(shape).sort())
    expect(shapes, name).toContainEqual(Object.keys(samples[name] ?? {}).sort())
  }
})
