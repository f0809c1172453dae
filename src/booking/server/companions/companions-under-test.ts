import { expect } from 'vitest'
import { brokenInvariants } from '#testing/invariants.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import { bookClass } from '../../contract.ts'
import { addCompanion } from '../../contract-companions.ts'

export const companionOf = (person: Person) => ({ firstName: 'Ben', lastName: 'Beck', email: person.email })
export const addAs = (person: Person, id: number, companion: Person, more: object = {}) =>
  person.call(addCompanion, { params: { id }, body: { ...companionOf(companion), ...more } })
export const bookForTwo = (person: Person, classId: number, companion: Person) =>
  person.call(bookClass, { body: { classId, companion: companionOf(companion) } })
export const takenIn = (studio: StudioUnderTest, id: number) =>
  studio.count('select booked_count from classes where id = $1', [id])
export const job = (studio: StudioUnderTest) => studio.server.workers['end-holds']({}, 'by hand')
export const expectSound = async (studio: StudioUnderTest) =>
  expect(await brokenInvariants(studio.server.database.pool)).toEqual([])
export const expectRefusal = (
  response: { status: number; body: unknown },
  { status, message }: { status: number; message: string },
) => expect(response).toMatchObject({ status, body: { message } })

export async function tokenFor(studio: StudioUnderTest, person: Person): Promise<string> {
  await studio.mailbox()
  const mails = await studio.mailTo(person)
  const texts = mails.map(({ text }) => /#invitation=([\w.-]+)/.exec(text)?.[1]).filter((found) => found !== undefined)
  return texts.at(-1) ?? 'none'
}

/** Ana has booked a class for two on Thursday at 18:00 with Boris, who has no pass. */
export async function openWithHold() {
  const story = await openStudio({ now: 'Monday 09:00' })
  const { studio, ana, boris } = story
  await studio.completeHealth(boris)
  const id = await studio.createClass('Thursday 18:00')
  const response = await bookForTwo(ana, id, boris)
  expect(response.status).toBe(201)
  return { ...story, id, booking: response.body.id, token: await tokenFor(studio, boris) }
}
