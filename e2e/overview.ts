import type { Page } from '@playwright/test'
import { callApi, type Site } from './site.ts'

export const day = (page: Page, name: 'Today' | 'Tomorrow') => page.getByRole('region', { name, exact: true })
export const sessionRow = (page: Page, name: 'Today' | 'Tomorrow', title: string) =>
  day(page, name).getByRole('listitem').filter({ hasText: title }).first()

/** A member with health notes, booked into a class at this time. */
export async function createBookedMember(site: Site, at: string, firstName = 'Rosamund') {
  const member = await site.member({ firstName, lastName: 'Pickersgill', health: true, credits: 3 })
  const answers = { hasBackProblems: true, previousInjuries: 'Left knee, in spring', pregnancyStatus: 'postnatal' }
  await callApi(member, 'POST', '/api/health/questionnaire', answers)
  const studioClass = await site.class({ at })
  await site.book(member, studioClass)
  return { member, studioClass }
}

/** The same for a class that starts now. It can no longer be booked, so this moves a booking of a later class to it. */
export async function createStartedClass(site: Site) {
  const { member, studioClass: later } = await createBookedMember(site, '2026-12-11 15:30')
  const studioClass = await site.class({ at: '2026-12-07 08:00' })
  await site.pool.query('update bookings set class_id = $1 where class_id = $2', [studioClass.id, later.id])
  return { member, studioClass }
}
