import type { Page } from '@playwright/test'
import { openAsOwner } from '../admin.ts'
import { callApi, expect, type Site } from '../site.ts'
import type { Open } from './scene.ts'

/** Creates a member with health notes in tomorrow's first class, once per site. */
const dataBySite = new WeakMap<Site, Promise<void>>()
export const createAdminData = (site: Site) => {
  const known = dataBySite.get(site) ?? createData(site)
  dataBySite.set(site, known)
  return known
}

export const MEMBER_NAME = 'Philippa Fairweather-Bottomley'
export const STARTED_CLASS = 'Daybreak Reformer'
async function createData(site: Site): Promise<void> {
  const [firstName = '', lastName = ''] = MEMBER_NAME.split(' ')
  const member = await site.member({ firstName, lastName, health: true, credits: 3 })
  await callApi(member, 'POST', '/api/health/questionnaire', {
    hasHeartCondition: true,
    hasBackProblems: true,
    previousInjuries: 'Left knee, physiotherapy finished in spring.\nRight wrist when the weather turns.',
    pregnancyStatus: 'postnatal',
    fitnessGoals: 'To lift my daughter without thinking about it',
  })
  const studioClass = await site.class({ at: '2026-12-08 07:30', title: 'Sunrise Reformer' })
  await site.book(member, studioClass)
  const early = await site.class({ at: '2026-12-08 06:30', title: STARTED_CLASS })
  await site.book(member, early)
  await site.book(await site.member({ firstName: 'Winifred', lastName: 'Holroyd', health: true, credits: 1 }), early)
}

export const open =
  (path: string, next: (page: Page) => Promise<unknown>): Open =>
  async (page, site) => {
    await createAdminData(site)
    await openAsOwner(page, site, path)
    await next(page)
  }
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
export const expectText = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()
