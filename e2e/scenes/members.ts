import type { Page } from '@playwright/test'
import { Person } from '#testing/person.ts'
import { LONG_NAMES, LONG_TITLE } from '../busy-studio.ts'
import { waitForHydration } from '../member.ts'
import { callApi, expect, type Site, signIn } from '../site.ts'

type Members = {
  empty: Person
  full: Person
  rich: Person
  long: Person
  mover: Person
  admin: Person
}
const membersBySite = new WeakMap<Site, Promise<Members>>()
export const membersOf = (site: Site) => {
  const known = membersBySite.get(site) ?? createMembers(site)
  membersBySite.set(site, known)
  return known
}

async function createMembers(site: Site): Promise<Members> {
  const full = new Person(site.origin, 'Imogen')
  await callApi(full, 'POST', '/api/login', { username: 'member@studio.example', password: 'studio-member' })
  const rich = await site.member({ firstName: 'Rosalind', health: true, credits: 9 })
  const other = await site.member({ health: true, credits: 3 })
  const long = await site.member({ ...LONG_NAMES, health: true, credits: 50 })
  const today = site.now.slice(0, 10)
  const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString()
  await site.class({ at: `${today} 07:30`, title: 'Early Reformer' })
  const soon = await site.class({ at: `${today} 09:45`, title: 'Reformer before Lunch' })
  const full1 = await site.class({ at: `${today} 13:30`, places: 1, title: 'One-on-one Reformer' })
  const awaited = await site.class({ at: `${today} 15:15`, places: 1, title: 'One-on-one Stretch' })
  const far = await site.class({ at: `${tomorrow} 11:15`, places: 1, title: 'One-on-one in the Morning' })
  const half = await site.class({ at: `${today} 14:30`, title: 'Afternoon Reformer' })
  const wide = await site.class({ at: `${today} 16:00`, title: LONG_TITLE })
  const mover = await site.member({ firstName: 'Mara', health: true, credits: 1 })
  await site.book(mover, await site.class({ at: `${today} 17:00`, title: 'Late Reformer' }))
  await site.class({ at: `${today} 18:00`, title: 'Evening Reformer' })
  await site.book(rich, soon)
  await site.book(other, full1)
  await site.book(other, awaited)
  await site.book(long, far)
  for (const { id } of [awaited, far]) await callApi(rich, 'POST', `/api/classes/${id}/waitlist`)
  await site.book(other, half)
  await site.book(long, wide)
  return {
    empty: await site.member({ firstName: 'Nell' }),
    full,
    rich,
    long,
    mover,
    admin: await site.admin(),
  }
}

/** Opens a path, signed in if `who` is given, and waits for a text. */
export function openPage(path: string, shows: string | RegExp, who?: keyof Members) {
  return async (page: Page, site: Site) => {
    const members = await membersOf(site)
    if (who) await signIn(page, members[who])
    await page.goto(path)
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
    if (who) await expect(page.getByText(/^Welcome|Logout/).first()).toBeAttached()
    else await waitForHydration(page)
  }
}
