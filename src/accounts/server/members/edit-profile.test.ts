import { expect, test } from 'vitest'
import { shareStudio } from '#testing/studio-under-test.ts'
import { editProfile } from '../../contract-profile.ts'

const story = shareStudio()

test('leaves what is absent from a profile as it is; null and an empty text remove the phone number', async () => {
  const { ana } = story
  const names = { firstName: 'Ana', lastName: 'Cast' }
  const phone = async (body: object) => (await ana.call(editProfile, { body: { ...names, ...body } })).body.phone
  for (const nothing of [null, '']) {
    expect(await phone({ phone: '01632 960101' })).toBe('01632 960101')
    expect(await phone({})).toBe('01632 960101')
    expect(await phone({ phone: nothing })).toBeNull()
  }
  expect((await ana.call(editProfile, { body: { firstName: 'Ann' } })).body).toMatchObject({
    firstName: 'Ann',
    lastName: 'Cast',
  })
  await ana.call(editProfile, { body: names })
})
