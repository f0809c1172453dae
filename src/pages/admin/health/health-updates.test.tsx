import { expect, test } from 'vitest'
import { summaryOf } from './health-updates.tsx'

const answer = (now: unknown) => ({ old: null, new: now })

test.each([
  ['a first questionnaire without answers', {}, true, 'No answers given.'],
  ['a later save without changes', {}, false, 'Saved with no changes.'],
  [
    'what a first questionnaire says yes to',
    {
      hasBackProblems: answer(true),
      hasDiabetes: answer(false),
      allergies: answer('Nuts'),
      fitnessLevel: answer('beginner'),
    },
    true,
    'New questionnaire: Back problems, Allergies',
  ],
  [
    'a first questionnaire with nothing to note',
    { hasDiabetes: answer(false) },
    true,
    'New questionnaire: nothing to note',
  ],
  ['what a later save changed', { fitnessLevel: answer('advanced') }, false, 'Changed: Fitness level'],
])('describes %s', (_, changed, isFirst, text) => {
  const updateType = 'questionnaire_updated'
  expect(summaryOf({ changes: JSON.stringify(changed), isFirst, updateType })).toBe(text)
})

test('does not call a first emergency contact a questionnaire', () => {
  const changes = JSON.stringify({ contactName: answer('Sam Stranger') })
  expect(summaryOf({ changes, isFirst: true, updateType: 'emergency_contact_updated' })).toBe('New emergency contact')
})
