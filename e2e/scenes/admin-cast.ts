import type { Page } from '@playwright/test'
import { expect, type Site, signIn, succeed } from '../site.ts'
import type { Open } from './scene.ts'

/** Somebody with something to look after in tomorrow's first class, made once for each site. */
const casts = new WeakMap<Site, Promise<void>>()
export const castOf = (site: Site) => {
  const known = casts.get(site) ?? furnish(site)
  casts.set(site, known)
  return known
}

export const NAME = 'Philippa Fairweather-Bottomley'
export const BEGUN = 'Daybreak Reformer'
async function furnish(site: Site): Promise<void> {
  const [firstName = '', lastName = ''] = NAME.split(' ')
  const member = await site.member({ firstName, lastName, health: true, credits: 3 })
  await succeed(member, 'POST', '/api/health/questionnaire', {
    hasHeartCondition: true,
    hasBackProblems: true,
    previousInjuries: 'Left knee, physiotherapy finished in spring.\nRight wrist when the weather turns.',
    pregnancyStatus: 'postnatal',
    fitnessGoals: 'To lift my daughter without thinking about it',
  })
  const held = await site.class({ at: '2026-12-08 07:30', title: 'Sunrise Reformer' })
  await site.books(member, held)
  const early = await site.class({ at: '2026-12-08 06:30', title: BEGUN })
  await site.books(member, early)
  await site.books(await site.member({ firstName: 'Winifred', lastName: 'Holroyd', health: true, credits: 1 }), early)
}

/** As the owner, with everybody there. */
export const open =
  (path: string, next: (page: Page) => Promise<unknown>): Open =>
  async (page, site) => {
    await castOf(site)
    await signIn(page, await site.admin())
    await page.goto(path)
    await next(page)
  }
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
export const shows = (page: Page, text: string | RegExp) => expect(page.getByText(text).first()).toBeVisible()
