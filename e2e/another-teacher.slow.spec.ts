import type { Page } from '@playwright/test'
import { axeViolations, layoutProblems } from './accessibility.ts'
import { chooseSeveral, openAsOwner, openTab, searchFor } from './admin.ts'
import { expectToast } from './member.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const NARROW = { width: 320, height: 640 }
const LEAD = 'Eleanor Marsh'

/** Waits until public pages and the owner's come with what was saved. */
async function expectOnPages(site: Site, words: string): Promise<void> {
  for (const path of ['/about', '/admin', '/dashboard'])
    await expect.poll(async () => await (await fetch(site.origin + path)).text()).toContain(words)
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  expect.soft(await axeViolations(page), name).toEqual([])
  expect.soft(await layoutProblems(page), name).toEqual([])
  const size = page.viewportSize() ?? WIDE
  await page.setViewportSize(NARROW)
  expect.soft(await layoutProblems(page), `${name}, at 320 px`).toEqual([])
  await page.setViewportSize(size)
}

/** Gives today's remaining classes to a teacher in three taps. */
async function giveToday(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Another teacher today' }).click()
  const dialog = page.getByRole('dialog', { name: 'Another teacher today' })
  await dialog.getByRole('radio', { name: to }).check()
  await expect(dialog.getByRole('listitem').filter({ hasText: `with ${from}` })).not.toHaveCount(0)
  await expect(dialog.getByRole('status')).toContainText('booked. We’ll tell each once')
  await expectAccessible(page, `giving today to ${to}`)
  await dialog.getByRole('button', { name: new RegExp(`^Give \\d+ class(es)? to ${to}$`) }).click()
  await expectToast(page, 'Success', new RegExp(`with ${to}`))
}

test('the owner adds a teacher, gives today’s classes away in three taps when ill, and takes them back', async ({
  page,
  site,
}) => {
  const mia = await site.member({ health: true, credits: 2 })
  const title = 'Reformer in the evening'
  await site.book(mia, await site.class({ at: '2026-12-07 21:00', title }))
  await page.setViewportSize(WIDE)
  await openAsOwner(page, site)
  await expect(page.getByRole('region', { name: 'Today', exact: true })).toContainText(title)
  await expect(page.getByRole('button', { name: 'Another teacher today' })).toHaveCount(0)

  await page.goto(`${site.origin}/admin?view=settings#teachers`)
  const teachers = page.getByRole('region', { name: 'Other teachers' })
  await teachers.getByRole('button', { name: 'Add a teacher' }).click()
  await teachers.getByLabel('Name').fill(LEAD)
  await teachers.getByLabel('About them').fill('Jo came to Pilates from dance.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Another teacher has this name.').first()).toBeVisible()
  await teachers.getByLabel('Name').fill('Jo Hart')
  await expectAccessible(page, 'teachers in the settings')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectToast(page, 'Success', /Saved/)
  await page.setViewportSize(PHONE)
  await expectAccessible(page, 'teachers in the settings on a phone')

  await expectOnPages(site, 'Jo came to Pilates from dance.')
  await page.goto('/about')
  await expect(page.getByRole('region', { name: 'Also teaching' })).toContainText('Jo Hart')
  await expectAccessible(page, 'about on a phone')

  await page.setViewportSize(WIDE)
  await openAsOwner(page, site)
  const evening = page
    .getByRole('region', { name: 'Today', exact: true })
    .getByRole('listitem')
    .filter({ hasText: title })
  await giveToday(page, LEAD, 'Jo Hart')
  await expect(evening.first()).toContainText('with Jo Hart')
  await expectAccessible(page, 'the day at 1440 px')
  expect((await site.mailTo(mia.email, /^Jo Hart teaches/)).text).toContain(LEAD)

  await page.setViewportSize(PHONE)
  await giveToday(page, 'Jo Hart', LEAD)
  await expect(evening.first()).toContainText(`with ${LEAD}`)
  await expectAccessible(page, 'the day at 390 px')
  expect((await site.mailTo(mia.email, new RegExp(`^${LEAD} teaches`))).text).toContain(`with ${LEAD} again`)

  await page.setViewportSize(WIDE)
  await openTab(page, site, 'Classes')
  await chooseSeveral(page)
  await page.getByRole('checkbox', { name: new RegExp(`^Choose ${title}`) }).check()
  await expectAccessible(page, 'a chosen class')
  await page.getByRole('button', { name: 'Another teacher' }).click()
  const several = page.getByRole('dialog', { name: 'Another teacher for 1 class' })
  await several.getByRole('radio', { name: 'Jo Hart' }).check()
  await several.getByRole('button', { name: 'Give 1 class to Jo Hart' }).click()
  await expectToast(page, 'Success', '1 class is with Jo Hart')
  await page.getByRole('button', { name: new RegExp(`^Edit ${title}`) }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Class' })
  await expect(edit.getByLabel('Teacher')).toHaveValue('Jo Hart')
  await edit.getByLabel('Teacher').selectOption(LEAD)
  await expect(edit.getByRole('status').filter({ hasText: 'We’ll tell each once' })).toBeVisible()
  await expectAccessible(page, 'editing the teacher')
  await page.keyboard.press('Escape')

  await signIn(page, mia)
  await page.goto(`${site.origin}/dashboard`)
  await expect(page.getByText(`With Jo Hart instead of ${LEAD}. Until it starts`)).toBeVisible()
  await page.setViewportSize(PHONE)
  await expectAccessible(page, 'the dashboard on a phone')
})

test('a teacher who is linked to a name sees their own classes only', async ({ page, site }) => {
  const owner = await site.admin()
  const jo = await site.member({ firstName: 'Jo', lastName: 'Hart' })
  const teachers = [{ name: 'Jo Hart', role: 'Teacher', text: '', portrait: null }]
  await callApi(owner, 'PUT', '/api/admin/studio', { teachers })
  const own = await site.class({ at: '2026-12-07 21:00', title: 'Jo’s class' })
  await site.class({ at: '2026-12-07 20:00', title: 'Another class' })
  await callApi(owner, 'PUT', `/api/classes/${own.id}`, { instructorName: 'Jo Hart' })
  await expectOnPages(site, 'Jo Hart')
  await openTab(page, site, 'Users', searchFor(jo.email))
  await page.getByRole('button', { name: 'Edit Jo Hart' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit member' })
  await dialog.getByLabel('Role').selectOption('teacher')
  await dialog.getByLabel('Teaches as').selectOption('Jo Hart')
  await expectAccessible(page, 'linking a teacher')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Success', 'User updated successfully')
  await signIn(page, jo)
  await page.goto(`${site.origin}/dashboard?view=today`)
  const today = page.getByRole('region', { name: 'Today', exact: true })
  await expect(today).toContainText('Jo’s class')
  await expect(today).not.toContainText('Another class')
  await expectAccessible(page, 'a teacher’s day')
})
