import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { consents } from '../consents.ts'
import { EmergencyContactForm, QuestionnaireForm } from '../contract.ts'
import { HEALTH_FLAGS } from '../rules.ts'
import { answersOf, changesBetween, contactOf, unanswered } from './answers.ts'

const answersTo = (form: object) => answersOf(QuestionnaireForm.parse(form))

describe('the answers of a form', () => {
  test('fills in null or "no" for missing fields', () => {
    expect(answersTo({})).toEqual(unanswered)
    for (const flag of HEALTH_FLAGS) expect(answersTo({})[flag]).toBe(false)
  })

  test.each([
    ['an empty choice', { fitnessLevel: '', pregnancyStatus: '' }],
    ['null', { fitnessLevel: null, hasDiabetes: null, allergies: null, marketingConsent: null }],
    ['an unknown field', { bloodGroup: '0' }],
  ])('%s counts as no answer', (_, form) => {
    expect(answersTo(form)).toEqual(unanswered)
  })

  test('keep texts exactly as sent', () => {
    expect(answersTo({ allergies: '  Latex\n🐈 ' }).allergies).toBe('  Latex\n🐈 ')
    expect(answersTo({ allergies: '' }).allergies).toBe('')
  })

  test('a contact without an email has none', () => {
    const form = { contactName: 'Carl', relationship: 'Brother', phoneNumber: '01632 960001' }
    const contact = { name: 'Carl', relationship: 'Brother', phone: '01632 960001', email: null }
    expect(contactOf(EmergencyContactForm.parse(form))).toEqual(contact)
    expect(contactOf(EmergencyContactForm.parse({ ...form, email: '' }))).toEqual(contact)
  })
})

describe('the changes between two saves', () => {
  test('list the answered fields of a first save with null as the old value', () => {
    const first = answersTo({ allergies: 'latex', hasDiabetes: true, hasBackProblems: false, fitnessGoals: '' })
    expect(changesBetween(null, first, unanswered)).toEqual({
      allergies: { old: null, new: 'latex' },
      hasDiabetes: { old: null, new: true },
    })
  })

  test('list only fields that differ in a later save, including removed answers', () => {
    const before = answersTo({ allergies: 'latex', hasDiabetes: true, fitnessLevel: 'beginner' })
    const after = answersTo({ hasDiabetes: false, fitnessLevel: 'beginner', specificConcerns: 'left knee' })
    expect(changesBetween(before, after, unanswered)).toEqual({
      allergies: { old: 'latex', new: null },
      hasDiabetes: { old: true, new: false },
      specificConcerns: { old: null, new: 'left knee' },
    })
  })

  test('are empty for equal answers, and for blank instead of null', () => {
    expect(changesBetween(answersTo({ allergies: 'x' }), answersTo({ allergies: 'x' }), unanswered)).toEqual({})
    expect(changesBetween(answersTo({}), answersTo({ allergies: '' }), unanswered)).toEqual({})
  })
})

test('a changed consent text needs a new version', () => {
  const { version, ...texts } = consents
  const fingerprint = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 12)
  expect({ version, fingerprint }).toEqual({ version: '1', fingerprint: '71390d425839' })
})
