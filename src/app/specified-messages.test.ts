import { beforeAll, expect, test } from 'vitest'
import { defined } from '#foundation/collections.ts'
import { endpoints } from '#testing/contracts.ts'
import { shareStudio } from '#testing/studio-under-test.ts'

/** Refused input, with the messages agreed with the studio next to the field. */
const story = shareStudio()
let classId = 0
let packageId = 0
beforeAll(async () => {
  classId = await story.studio.createClass('Tuesday 18:00')
  packageId = (await story.studio.createPackage()).id
})

const aClass = { title: 'Duo', date: '2026-12-08', startTime: '09:30', endTime: '10:15', maxParticipants: 2 }
const aPackage = { name: 'Eight', price: '424.00', classCount: 8, validityMonths: 4 }
const aMember = { email: 'new@people.example', firstName: 'N', lastName: 'M', password: 'secret' }
const aContact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
const aGift = () => ({ packageId, creditsToGift: 1, expiryMonths: 12 })
const REPEAT = 'Repeat frequency and end date are required for repeating classes'
const PASSWORD = 'Password must be at least 6 characters'
const PHONE = 'Please enter a valid phone number'

type Case = [name: string, body: object | (() => object), path: string, message: string]
const cases: Case[] = [
  ['accounts.login', { username: '', password: 'secret' }, 'username', 'Username is required'],
  ['accounts.login', { password: 'secret' }, 'username', 'Username is required'],
  ['accounts.login', { username: 'ana', password: '12345' }, 'password', PASSWORD],
  ['accounts.login', { username: 'ana' }, 'password', PASSWORD],
  ['accounts.login', { username: 'ana', password: null }, 'password', PASSWORD],
  ['accounts.register', { ...aMember, email: 'not an address' }, 'email', 'Invalid email address'],
  ['accounts.register', { ...aMember, email: undefined }, 'email', 'Invalid email address'],
  ['accounts.register', { ...aMember, firstName: '' }, 'firstName', 'First name is required'],
  ['accounts.register', { ...aMember, lastName: ' ' }, 'lastName', 'Last name is required'],
  ['accounts.register', { ...aMember, password: '12345' }, 'password', PASSWORD],
  ['accounts.register', { ...aMember, username: 'ab' }, 'username', 'Username must be at least 3 characters'],
  ['accounts.setPassword', { token: 'x', password: '12345' }, 'password', PASSWORD],
  ['accounts.editUser', { username: 'ab' }, 'username', 'Username must be at least 3 characters'],
  ['accounts.editUser', { email: 'x' }, 'email', 'Invalid email address'],
  ['accounts.editUser', { firstName: '' }, 'firstName', 'First name is required'],
  ['accounts.editUser', { lastName: '' }, 'lastName', 'Last name is required'],
  ['timetable.createClass', { ...aClass, title: '' }, 'title', 'Title is required'],
  ['timetable.createClass', { ...aClass, title: undefined }, 'title', 'Title is required'],
  ['timetable.createClass', { ...aClass, date: '' }, 'date', 'Date is required'],
  ['timetable.createClass', { ...aClass, date: '2026-02-30' }, 'date', 'Date is required'],
  ['timetable.createClass', { ...aClass, startTime: '' }, 'startTime', 'Start time is required'],
  ['timetable.createClass', { ...aClass, startTime: '25:00' }, 'startTime', 'Start time is required'],
  ['timetable.createClass', { ...aClass, endTime: undefined }, 'endTime', 'End time is required'],
  ['timetable.createClass', { ...aClass, maxParticipants: 0 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
  ['timetable.createClass', { ...aClass, maxParticipants: 3 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
  ['timetable.createClass', { ...aClass, isRepeating: true, repeatUntilDate: '2026-12-31' }, 'repeatFrequency', REPEAT],
  ['timetable.createClass', { ...aClass, isRepeating: true, repeatFrequency: 'weekly' }, 'repeatUntilDate', REPEAT],
  [
    'timetable.createClass',
    { ...aClass, isRepeating: true, repeatFrequency: 'weekly', repeatUntilDate: '' },
    'repeatUntilDate',
    REPEAT,
  ],
  ['timetable.createClass', { ...aClass, title: ' \t' }, 'title', 'Title is required'],
  ['schedule.editClass', { title: '' }, 'title', 'Title is required'],
  ['schedule.editClass', { date: '' }, 'date', 'Date is required'],
  ['schedule.editClass', { startTime: '' }, 'startTime', 'Start time is required'],
  ['schedule.editClass', { endTime: '' }, 'endTime', 'End time is required'],
  ['schedule.editClass', { maxParticipants: 3 }, 'maxParticipants', 'Please choose 1 or 2 participants'],
  ['packages.createPackage', { ...aPackage, name: '' }, 'name', 'Name is required'],
  ['packages.createPackage', { ...aPackage, price: '' }, 'price', 'Price is required'],
  ['packages.createPackage', { ...aPackage, price: undefined }, 'price', 'Price is required'],
  ['packages.createPackage', { ...aPackage, classCount: 0 }, 'classCount', 'Class count must be at least 1'],
  ['packages.createPackage', { ...aPackage, validityMonths: 0 }, 'validityMonths', 'Validity must be at least 1 month'],
  [
    'packages.createPackage',
    { ...aPackage, maxParticipants: 3 },
    'maxParticipants',
    'Please choose 1 or 2 participants',
  ],
  ['packages.editPackage', { name: ' \u00a0 ' }, 'name', 'Name is required'],
  ['packages.editPackage', { name: '' }, 'name', 'Name is required'],
  ['packages.editPackage', { price: '' }, 'price', 'Price is required'],
  ['packages.editPackage', { classCount: 0 }, 'classCount', 'Class count must be at least 1'],
  ['packages.editPackage', { validityMonths: 0 }, 'validityMonths', 'Validity must be at least 1 month'],
  ['passes.giftCredits', () => ({ ...aGift(), packageId: undefined }), 'packageId', 'Package is required'],
  ['passes.giftCredits', () => ({ ...aGift(), creditsToGift: 0 }), 'creditsToGift', 'At least 1 credit required'],
  [
    'passes.giftCredits',
    () => ({ ...aGift(), creditsToGift: 51 }),
    'creditsToGift',
    'At most 50 credits can be gifted at once',
  ],
  ['passes.giftCredits', () => ({ ...aGift(), expiryMonths: 0 }), 'expiryMonths', 'Validity must be at least 1 month'],
  ['payments.createPaymentIntent', () => ({ packageId, amount: 0 }), 'amount', 'Amount must be greater than 0'],
  ['payments.createPaymentIntent', () => ({ packageId, amount: '-5' }), 'amount', 'Amount must be greater than 0'],
  [
    'health.saveEmergencyContact',
    { ...aContact, contactName: '' },
    'contactName',
    'Emergency contact name is required',
  ],
  ['health.saveEmergencyContact', { ...aContact, contactName: 'x'.repeat(256) }, 'contactName', 'Name is too long'],
  ['health.saveEmergencyContact', { ...aContact, relationship: '' }, 'relationship', 'Relationship is required'],
  [
    'health.saveEmergencyContact',
    { ...aContact, relationship: 'x'.repeat(101) },
    'relationship',
    'Relationship is too long',
  ],
  ['health.saveEmergencyContact', { ...aContact, phoneNumber: '1234567' }, 'phoneNumber', PHONE],
  ['health.saveEmergencyContact', { ...aContact, phoneNumber: '01632 960 ext 9' }, 'phoneNumber', PHONE],
  ['health.saveEmergencyContact', { ...aContact, phoneNumber: '0'.repeat(51) }, 'phoneNumber', PHONE],
  ['health.saveEmergencyContact', { ...aContact, email: 'x' }, 'email', 'Please enter a valid email address'],
]

test.each(cases)('%s with %j: %s: %s', async (name, body, path, message) => {
  const endpoint = defined(endpoints.get(name))
  const id = { 'schedule.editClass': classId, 'packages.editPackage': packageId }[name] ?? story.boris.id
  const url = endpoint.path.replace(/:\w+/, String(id))
  const response = await story.dora.request(endpoint.method, url, typeof body === 'function' ? body() : body)
  expect(response).toMatchObject({ status: 400, body: { message, errors: [{ path, message }] } })
  expect(response.body.errors).toHaveLength(1)
})

test('reports every invalid field together', async () => {
  const { body } = await story.dora.request('POST', '/api/classes', { isRepeating: false })
  expect(body.errors).toEqual([
    { path: 'title', message: 'Title is required' },
    { path: 'date', message: 'Date is required' },
    { path: 'startTime', message: 'Start time is required' },
    { path: 'endTime', message: 'End time is required' },
  ])
  expect(body.message).toBe('Title is required')
})

test('accepts the values that section 5 allows', async () => {
  const { dora, boris } = story
  const taken: [string, string, object][] = [
    [
      'POST',
      '/api/health/emergency-contact',
      { ...aContact, contactName: 'x'.repeat(255), relationship: 'x'.repeat(100) },
    ],
    ['POST', '/api/health/emergency-contact', { ...aContact, phoneNumber: '+44 (0)1632-960', email: '' }],
    ['POST', '/api/health/questionnaire', {}],
    ['POST', '/api/health/questionnaire', { pregnancyStatus: '', fitnessLevel: null }],
    ['POST', `/api/admin/users/${boris.id}/gift-credits`, { packageId, creditsToGift: 50, expiryMonths: 3 }],
    ['POST', '/api/classes', { ...aClass, startTime: '10:15', endTime: '09:30' }],
    [
      'POST',
      '/api/classes',
      { ...aClass, date: '2020-01-01', isRepeating: false, repeatFrequency: '', repeatUntilDate: null },
    ],
    ['POST', '/api/packages', { ...aPackage, description: null, price: 45.5 }],
    ['PUT', `/api/admin/users/${boris.id}`, { username: 'abc' }],
  ]
  for (const [method, path, body] of taken) {
    const { status } = await dora.request(method, path, body)
    expect([path, body, status < 300]).toEqual([path, body, true])
  }
})

test.each([
  ['pregnancyStatus', ['not_pregnant', 'pregnant', 'postnatal', 'prefer_not_to_say']],
  ['fitnessLevel', ['beginner', 'intermediate', 'advanced']],
  ['exerciseFrequency', ['never', 'rarely', 'weekly', 'daily']],
  ['pilatesExperience', ['none', 'beginner', 'some_experience', 'experienced']],
])('accepts only the listed values of %s', async (field, words) => {
  const save = (value: unknown) => story.ana.request('POST', '/api/health/questionnaire', { [field]: value })
  for (const word of words) expect((await save(word)).body[field]).toBe(word)
  for (const other of ['Weekly', 'none ', 'sometimes', 1, true]) {
    expect(await save(other)).toMatchObject({ status: 400, body: { errors: [{ path: field }] } })
  }
})
