import { generateSync } from 'otplib'
import { setPassword, verifyEmail } from '#accounts/contract.ts'
import { addApp, beginApp } from '#accounts/contract-factors.ts'
import { completeSecondStep } from '#accounts/contract-proofs.ts'
import { bookClass, listUpcomingBookings } from '#booking/contract.ts'
import { editStudio } from '#facts/contract.ts'
import { BEFORE_OPENING } from '#facts/rules.ts'
import { getMemberHealth, saveEmergencyContact, saveQuestionnaire } from '#health/contract.ts'
import { createPackage } from '#packages/contract.ts'
import { listPasses } from '#passes/contract.ts'
import { createPaymentIntent } from '#payments/contract.ts'
import { confirmSetUp } from '#setup/contract.ts'
import { initialFacts } from '#studio.ts'
import type { TestResponse } from '#testing/person.ts'
import { Person } from '#testing/person.ts'
import { createClass } from '#timetable/contract.ts'
import { cardForm } from '../lib/sandbox-card.ts'
import type { startCardProvider, startPost } from './outside.ts'

const OWNER = 'owner@studio.example'
/** Instead of the example's, because a live site sells nothing before. */
const HERS = {
  name: 'Wharfedale Reformer',
  instructor: { ...initialFacts.instructor, name: 'Jo Hart', story: 'Jo danced, then taught.' },
  address: { street: '1 New Row', town: 'Ilkley', county: 'West Yorkshire', postcode: 'LS29 1AA' },
  visit: { door: 'The blue door.', parking: 'On the street.', transport: 'Five minutes from the station.' },
  phone: '01632 960001',
  email: 'hello@wharfedale.example',
  ownerEmail: OWNER,
}
const ALLERGY = 'latex, Zoë’s cat'

type World = {
  origin: string
  post: Awaited<ReturnType<typeof startPost>>
  cards: Awaited<ReturnType<typeof startCardProvider>>
  print: (sentence: string) => void
}
type Visit = { ana: Person; dora: Person; recoveryCode: string; bookingId: number }

/**
 * The owner opens the studio; a member signs up, pays and books over HTTPS.
 *
 * @param link printed by `studio admin`
 */
export async function firstVisit({ origin, post, cards, print }: World, link: string): Promise<Visit> {
  const dora = new Person(origin, 'Dora')
  succeeded(await dora.call(setPassword, { body: { token: tokenIn(link, 'reset'), password: dora.password } }))
  const { body: app } = succeeded(await dora.call(beginApp))
  const code = generateSync({ secret: app.secret })
  const { body: added } = succeeded(await dora.call(addApp, { body: { setUp: app.setUp, code } }))
  succeeded(await dora.call(editStudio, { body: HERS }))
  for (const item of BEFORE_OPENING) succeeded(await dora.call(confirmSetUp, { params: { item } }))
  print('The owner set a password with her link, added an authenticator app, and made the site her studio.')

  const date = Temporal.Now.plainDateISO('Europe/London').add({ days: 10 }).toString()
  const studioClass = { title: 'Reformer Pilates Duo', date, startTime: '10:00', endTime: '10:45' }
  const { body: bookable } = succeeded(await dora.call(createClass, { body: studioClass }))
  const pass = { name: '8 Class Pass', price: '424', classCount: 8, validityMonths: 4, maxParticipants: 2 }
  const { body: offer } = succeeded(await dora.call(createPackage, { body: pass }))
  const ana = new Person(origin, 'Ana')
  const form = { email: ana.email, password: ana.password, firstName: 'Ana', lastName: 'Cast' }
  succeeded(await ana.request('POST', '/api/register', form))
  const verification = await post.mailTo(ana.email, 'confirm')
  succeeded(await ana.call(verifyEmail, { body: { token: tokenIn(verification.text ?? '', 'verify') } }))
  await signIn(ana, ana.email)
  succeeded(await ana.call(saveQuestionnaire, { body: { allergies: ALLERGY, hasBackProblems: true } }))
  const contact = { contactName: 'Sam', relationship: 'Partner', phoneNumber: '01632 960199' }
  succeeded(await ana.call(saveEmergencyContact, { body: contact }))
  print('A member registered, confirmed her address and answered the health questions.')

  await payByCard(ana, cards, { packageId: offer.id, amount: '424' })
  await post.mailTo(ana.email, '8 Class Pass')
  const { body: passes } = succeeded(await ana.call(listPasses))
  if (passes.length !== 1) throw new Error(`She has ${passes.length} passes.`)
  print('She paid and closed the browser; the webhook created the pass, and the receipt arrived.')

  const { body: booking } = succeeded(await ana.call(bookClass, { body: { classId: bookable.id } }))
  const confirmed = await post.mailTo(ana.email, 'is booked')
  if (confirmed.attachments.length === 0) throw new Error('The confirmation has no calendar file.')
  print('She booked; the confirmation arrived with its calendar file.')
  return { ana, dora, recoveryCode: added.recoveryCodes[0], bookingId: booking.id }
}

/** After a restore members sign in and find everything again. */
export async function secondVisit(
  { post, print }: World,
  { ana, dora, recoveryCode, bookingId }: Visit,
): Promise<void> {
  await signIn(ana, ana.email)
  await signIn(dora, OWNER)
  succeeded(await dora.call(completeSecondStep, { body: { code: recoveryCode } }))
  const { body: bookings } = succeeded(await ana.call(listUpcomingBookings))
  if (bookings.length !== 1 || bookings[0].id !== bookingId) throw new Error('The booking is not there.')
  const { body: passes } = succeeded(await ana.call(listPasses))
  const { body: health } = succeeded(await dora.call(getMemberHealth, { params: { id: bookings[0].userId } }))
  if (health.questionnaire?.allergies !== ALLERGY || health.emergencyContact?.name !== 'Sam')
    throw new Error(`The health answers are not readable: ${JSON.stringify(health)}`)
  print(
    `The booking is there, and the pass with ${passes[0].creditsRemaining} credits; the owner reads the health answers.`,
  )
  succeeded(await ana.request('PUT', `/api/bookings/${bookingId}/cancel`))
  await post.mailTo(ana.email, 'is cancelled')
  print('She cancelled; the email arrived.')
}

/** Pays as Stripe.js does, and closes the browser. */
async function payByCard(person: Person, cards: World['cards'], order: { packageId: number; amount: string }) {
  const { body } = succeeded(await person.call(createPaymentIntent, { body: order }))
  const confirmed = await fetch(`${cards.origin}/v1/payment_intents/${body.paymentIntentId}/confirm`, {
    method: 'POST',
    body: cardForm(cards.publishableKey, body.clientSecret),
  })
  const { status } = (await confirmed.json()) as { status?: string }
  if (status !== 'succeeded') throw new Error(`The card provider answered ${confirmed.status} ${status}.`)
}

async function signIn(person: Person, username: string): Promise<void> {
  succeeded(await person.request('POST', '/api/login', { username, password: person.password }))
}

function tokenIn(text: string, purpose: 'reset' | 'verify'): string {
  const token = new RegExp(`/auth#${purpose}=([\\w.~-]+)`).exec(text)?.[1]
  if (!token) throw new Error(`There is no link in:\n${text}`)
  return token
}

function succeeded(response: TestResponse): TestResponse {
  if (response.status < 300) return response
  throw new Error(`A call was answered with ${response.status} ${JSON.stringify(response.body)}`)
}
