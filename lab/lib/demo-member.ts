import { Person } from '#testing/person.ts'

export type DemoMember = { admin: Person; member: Person }

/** Signs up a member with health information and credits, and signs in the admin. */
export async function demoMember(origin: string, credits: number): Promise<DemoMember> {
  const admin = new Person(origin, 'Admin')
  const member = new Person(origin, 'Mia')
  await post(admin, '/api/login', { username: 'admin@studio.example', password: 'studio-admin' })
  const { email, password } = member
  const { user } = await post(member, '/api/register', { email, password, firstName: 'Mia', lastName: 'Stranger' })
  await post(member, '/api/health/questionnaire', { allergies: 'None that I know of' })
  const contact = { contactName: 'Sam Stranger', relationship: 'Partner', phoneNumber: '01632 960199' }
  await post(member, '/api/health/emergency-contact', contact)
  const packages: { id: number; classCount: number }[] = (await admin.request('GET', '/api/packages')).body
  const packageId = packages.find(({ classCount }) => classCount === 8)?.id
  const gift = { packageId, creditsToGift: credits, expiryMonths: 6, userId: user.id }
  await post(admin, `/api/admin/users/${user.id}/gift-credits`, gift)
  return { admin, member }
}

/** Creates a class, a duo by default, at a time when the demo's timetable has none. */
export async function demoClass(
  admin: Person,
  title: string,
  date: string,
  hour: number,
  maxParticipants = 2,
): Promise<{ id: number }> {
  const at = String(hour).padStart(2, '0')
  const times = { startTime: `${at}:05`, endTime: `${at}:50` }
  return await post(admin, '/api/classes', { title, date, ...times, maxParticipants })
}

/** Posts and returns the body; throws unless it succeeds. */
export async function post(person: Person, path: string, body: unknown) {
  const response = await person.request('POST', path, body)
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`)
  return response.body
}
