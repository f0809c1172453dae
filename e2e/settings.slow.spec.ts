import { chooseSection, expectTabLoaded, follow, openTab } from './admin.ts'
import { expectToast } from './member.ts'
import { callApi, expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test("changes Friday's hours in five taps, keeps another admin's change and undoes the last one", async ({ page }) => {
  const site = await Site.open(MONDAY_MORNING)
  try {
    const owner = await site.admin()
    await signIn(page, owner)
    await page.goto(`${site.origin}/admin`)
    await follow(page, 'Studio settings') // taps 1 and 2
    const form = page.getByRole('form', { name: 'Studio settings' })
    const save = form.getByRole('button', { name: 'Save' })
    await expect(save).toBeDisabled()
    const closes = form.getByLabel('Friday closes')
    await closes.click() // tap 3
    await closes.fill('09:00')
    await save.click() // a mistake
    await expect(form.getByText('The closing time must be after the opening time')).toBeVisible()
    await closes.fill('15:30')
    await expect(form.getByText('Monday to Thursday: 10:00 - 20:00')).toBeVisible()
    await expect(form.getByText('Friday: 10:00 - 15:30')).toBeVisible()
    await save.dblclick() // tap 4
    await expectToast(page, 'Saved. Every page will show it within a minute')
    expect(await callApi(owner, 'GET', '/api/admin/studio')).toMatchObject({
      version: 1,
      hours: {
        Friday: { opens: '10:00', closes: '15:30' },
        Saturday: { opens: '08:00', closes: '13:00' },
        Sunday: null,
      },
    })

    await form.getByLabel('Notice at the top of every page').fill('Closed on Boxing Day.')
    await callApi(owner, 'PUT', '/api/admin/studio', { phone: '01632 960152' })
    await save.click()
    await expect(form.getByText(/changed/i).first()).toBeVisible()
    await expect(save).toBeFocused()
    await form.getByRole('button', { name: 'Reload' }).click()
    await chooseSection(page, 'Address and contact')
    await expect(form.getByLabel('Phone')).toHaveValue('01632 960152')
    await chooseSection(page, 'Hours and notice')
    await expect(form.getByLabel('Notice at the top of every page')).toHaveValue('Closed on Boxing Day.')
    await save.click()
    await expect(page.getByRole('complementary', { name: 'Notice' })).toHaveText('Closed on Boxing Day.')

    await form.getByRole('button', { name: 'Undo last change' }).click()
    await expectToast(page, 'The last change has been undone')
    await expect(page.getByRole('complementary', { name: 'Notice' })).toBeHidden()
    await page.getByText('History', { exact: true }).click()
    await expect(page.getByText(/Friday: 10:00 - 20:00 → 10:00 - 15:30/)).toBeVisible()
    expect(await callApi(owner, 'GET', '/api/admin/studio')).toMatchObject({
      version: 4,
      phone: '01632 960152',
      notice: null,
    })
  } finally {
    await site.close()
  }
})

test('only admins can open the settings', async ({ page, site }) => {
  await openTab(page, site, 'Overview')
  await follow(page, 'Studio settings')
  await expect(page.getByRole('heading', { name: 'Studio settings' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Admin' }).click()
  await expectTabLoaded(page, 'Overview')
  await signIn(page, await site.member())
  await page.goto('/admin?view=settings')
  await expectToast(page, 'Access Denied')
})
