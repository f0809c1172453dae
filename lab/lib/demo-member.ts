import { Person } from '#testing/person.ts'

/** Somebody who may book in the demo studio, and the admin who sees to it. */
export type DemoMember = { admin: Person; member: Person }

/** Signs up a member whose health information is complete and who has so many credits. */
export async function demoMember(origin: string, credits: number): Promise<DemoMember> {
  const admin = new Person(origin, 'Admin')
  const member = new Person(origin, 'Mia')
  await granted(admin, '/api/login', { username: 'admin@studio.example', password: 'studio-admin' })
  const { email, password } = member
  const { user } = await granted(member, '/api/register', { email, password, firstName: 'Mia', lastName: 'Stranger' })
  await granted(member, '/api/health/questionnaire', { allergies: 'None that I know of' })
  const contact = { contactName: 'Sam Stranger', relationship: 'Partner', phoneNumber: '01632 960199' }
  await granted(member, '/api/health/emergency-contact', contact)
  const packages: { id: number; classCount: number }[] = (await admin.request('GET', '/api/packages')).body
  const packageId = packages.find(({ classCount }) => classCount === 8)?.id
  const gift = { packageId, creditsToGift: credits, expiryMonths: 6, userId: user.id }
  await granted(admin, `/api/admin/users/${user.id}/gift-credits`, gift)
  return { admin, member }
}

/** A class of 45 minutes for two, at a time that the demo's own timetable leaves free. */
export async function demoClass(admin: Person, title: string, date: string, hour: number): Promise<{ id: number }> {
  const at = String(hour).padStart(2, '0')
  const times = { startTime: `${at}:05`, endTime: `${at}:50` }
  return await granted(admin, '/api/classes', { title, date, ...times, maxParticipants: 2 })
}

/** What a write answers that must succeed. */
export async function granted(person: Person, path: string, body: unknown) {
  const answer = await person.request('POST', path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
