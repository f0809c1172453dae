import { expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openStudio } from '#testing/studio-under-test.ts'

test('reminds of every confirmed booking once, 24 hours before', async () => {
  const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
  const carl = await studio.member('Carl', { health: true, credits: 2 })
  const evening = await studio.createClass('Wednesday 18:00')
  await ana.book(evening)
  const cancelled = (await carl.book(evening)).body.id
  await carl.cancel(cancelled)
  await ana.book(await studio.createClass('Friday 10:00'))
  const remind = () => studio.server.workers['remind-members']({}, 'job')
  const reminded = async (person: Person) =>
    (await studio.mailTo(person))
      .filter(({ subject }) => subject === 'See you on Wednesday 9 December at 18:00')
      .map(({ text }) => text)

  studio.travelTo('Tuesday 17:59:59')
  await remind()
  expect(await reminded(ana)).toEqual([])
  studio.travelTo('Tuesday 18:00')
  // Two concurrent processes, and the same job again.
  await Promise.all([remind(), remind()])
  await remind()
  expect(await reminded(ana)).toHaveLength(1)
  expect((await reminded(ana))[0]).toContain(
    'If you cancel before 16:00 on Wednesday 9 December, you get your credit back',
  )
  expect(await reminded(carl)).toEqual([])

  // A member who books within those hours has just been emailed.
  expect((await carl.book(evening)).status).toBe(201)
  await remind()
  expect(await reminded(carl)).toEqual([])
})

test('drops a delayed reminder once the class has started', async () => {
  const { studio, ana } = await openStudio({ now: 'Monday 09:00' })
  await ana.book(await studio.createClass('Wednesday 18:00'))
  studio.travelTo('Wednesday 18:00')
  await studio.server.workers['remind-members']({}, 'job')
  expect((await studio.mailTo(ana)).filter(({ subject }) => /^See you/.test(subject))).toEqual([])
})
