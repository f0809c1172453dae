import { saveQuestionnaire } from '#health/contract.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'
import * as contract from '../contract.ts'

export const words = { subject: 'A word', text: 'Hello {firstName},\n\nsee you soon.' }
export const sendAs = (admin: Person, body: object) => admin.call(contract.sendMessage, { body: { ...words, ...body } })
export const previews = (admin: Person, body: object) =>
  admin.read(contract.previewMessage, { body: { ...words, ...body } })
export const agrees = (person: Person, marketingConsent = true) =>
  person.call(saveQuestionnaire, { body: { marketingConsent } })
export const sentOf = async (admin: Person) => (await admin.read(contract.listMessages))[0]
export const subjectsTo = async (studio: StudioUnderTest, person: { email: string }) =>
  (await studio.mailTo(person)).map(({ subject }) => subject)

/** Confirms the newsletter for an address, as its emailed link does. */
export async function subscribeReader(studio: StudioUnderTest, email: string): Promise<void> {
  await studio.server.database.pool.query(
    `insert into newsletter_subscribers (token, email, requested_at, confirmed_at) values ($1, $2, $3, $3)`,
    [`token of ${email}`, email, studio.clock.now().toString()],
  )
}

/** Tomorrow has two classes: Ana is in both, Boris in the later one. Carl has booked nothing. */
export async function tomorrow() {
  const story = await openStudio()
  const { studio, ana, boris } = story
  await studio.completeHealth(boris)
  await studio.grantCredits(boris, 5)
  const carl = await studio.member('Carl')
  const early = await studio.createClass({ at: 'Tuesday 09:30', title: 'Reformer Duo' })
  const late = await studio.createClass({ at: 'Tuesday 18:00', title: 'Stretch' })
  await ana.book(early)
  await ana.book(late)
  await boris.book(late)
  await studio.mailbox()
  return { ...story, carl, early, late, day: { from: '2026-12-08', to: '2026-12-08' } }
}
