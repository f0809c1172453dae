import type { Page } from '@playwright/test'
import { type Site, signIn, succeed } from './site.ts'

/** The day begins on Monday 7 December 2026 at 08:00. */
export const day = (page: Page, name: 'Today' | 'Tomorrow') => page.getByRole('region', { name, exact: true })
/** A class in the owner's Overview. */
export const session = (page: Page, name: 'Today' | 'Tomorrow', title: string) =>
  day(page, name).getByRole('listitem').filter({ hasText: title }).first()

export async function asOwner(page: Page, site: Site, path = '/admin') {
  await signIn(page, await site.admin())
  await page.goto(path)
}

/** Somebody with a back and a knee to look after, booked into a class of this time. */
export async function somebodyComes(site: Site, at: string, firstName = 'Rosamund') {
  const member = await site.member({ firstName, lastName: 'Pickersgill', health: true, credits: 3 })
  const answers = { hasBackProblems: true, previousInjuries: 'Left knee, in spring', pregnancyStatus: 'postnatal' }
  await succeed(member, 'POST', '/api/health/questionnaire', answers)
  const held = await site.class({ at })
  await site.books(member, held)
  return { member, held }
}

/** The same, and the class begins this very minute: too late to book it, so the booking is moved there. */
export async function hasBegun(site: Site) {
  const { member, held: later } = await somebodyComes(site, '2026-12-11 15:30')
  const held = await site.class({ at: '2026-12-07 08:00' })
  await site.pool.query('update bookings set class_id = $1 where class_id = $2', [held.id, later.id])
  return { member, held }
}
