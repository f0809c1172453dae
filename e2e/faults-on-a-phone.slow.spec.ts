import { openTab, packageNamed } from './admin.ts'
import { CARDS, gotoHydrated, openMore, pay } from './member.ts'
import { expect, signIn, test, WITH_MOTION } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('an error next to the end time goes when the start fills it in, and both calendars open in sight', async ({
  page,
  site,
}) => {
  await openTab(page, site, 'Classes')
  await page.getByRole('button', { name: 'Create Class' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Class' })
  await dialog.getByLabel('Repeat this class').check()
  await dialog.getByRole('button', { name: 'Create Class' }).click()
  await expect(dialog.getByText('End time is required')).toBeVisible()
  await dialog.getByLabel('Start time').pressSequentially('0405')
  await expect(dialog.getByLabel('End time')).toHaveValue('04:50')
  await expect(dialog.getByText('End time is required')).toBeHidden()
  for (const label of ['Date', 'Repeat until']) {
    await dialog.getByRole('button', { name: new RegExp(`^${label} `) }).click()
    const [calendar, button] = [
      await dialog.getByRole('grid').boundingBox(),
      await dialog.getByRole('button', { name: 'Create Class' }).boundingBox(),
    ]
    expect((calendar?.y ?? 0) + (calendar?.height ?? 1000), label).toBeLessThanOrEqual(button?.y ?? 0)
    await dialog.getByRole('button', { name: new RegExp(`^${label} `) }).click()
    await expect(dialog.getByRole('grid')).toHaveCount(0)
  }
})

test('Escape gives the focus back to the button that opened the first of several dialogs', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Ottilie', lastName: 'Escapes', health: true, credits: 1 })
  const { title } = await site.class({ at: '2026-12-07 19:15' })
  await openTab(page, site, 'Overview')
  const add = page.getByRole('button', { name: `Add someone to ${title} at 19:15` })
  const dialog = page.getByRole('dialog')
  await add.click()
  await expect(dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
  await add.click()
  await dialog.getByRole('combobox').fill(member.email)
  await dialog.getByRole('option', { name: /Ottilie/ }).click()
  await expect(page.getByRole('dialog', { name: 'Book for Ottilie' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(add).toBeFocused()
})

test('“Text me” is not ticked without a phone number', async ({ page, site }) => {
  await signIn(page, await site.member())
  await page.goto('/dashboard?view=profile')
  const texts = page.getByRole('checkbox', { name: /^Text me/ })
  await expect(texts).not.toBeChecked()
  await expect(texts).toBeDisabled()
  await page.getByLabel('Phone (optional)').fill('07700 900155')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(texts).toBeChecked()
  await expect(texts).toBeEnabled()
})

test('a companion is offered only while the class has a free place', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 3 })
  const duo = await site.class({ at: '2026-12-11 06:05' })
  await site.book(member, duo)
  await signIn(page, member)
  await page.goto('/dashboard')
  const add = page.getByRole('button', { name: `Add companion to ${duo.title}` })
  await openMore(page, duo.title)
  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Add companion' })
  await expect(dialog).toContainText('Friday 11 December 2026')
  await expect(dialog).toContainText('It uses one of your credits.')
  await page.keyboard.press('Escape')
  await site.book(await site.member({ health: true, credits: 1 }), duo)
  await page.goto('/dashboard')
  await openMore(page, duo.title)
  await expect(page.getByRole('link', { name: 'Add to Google calendar' })).toBeVisible()
  await expect(add).toHaveCount(0)
})

test('the preview of an import counts members that are already here', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Known' })
  await openTab(page, site, 'Users')
  await page.goto('/admin?view=import')
  const { name } = await packageNamed(site, '8 Class Pass')
  await page.locator('input[type=file]').setInputFiles({
    name: 'members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `email,first name,last name,package,credits,expires\n${member.email},Known,Stranger,${name},3,2027-06-01\n`,
    ),
  })
  const figure = page.locator('dl > div').filter({ hasText: 'Members here already' })
  await expect(figure).toContainText('1')
})

test.describe('with motion', () => {
  test.use(WITH_MOTION)

  test('after a gift, a dashboard reached from a scrolled checkout shows the thank-you with the focus on it', async ({
    page,
    site,
  }) => {
    const buyer = await site.member({ firstName: 'Rosamund', health: true, credits: 6 })
    for (const day of ['14', '15', '16', '17', '18'])
      await site.book(buyer, await site.class({ at: `2026-12-${day} 05:05` }))
    await signIn(page, buyer)
    await gotoHydrated(page, '/pricing')
    await page.getByRole('button', { name: 'Give as a gift 8 Class Pass' }).click()
    await page.getByLabel('Who is it for?').fill('Henrietta')
    await page.getByLabel('Their email address').fill('henrietta@thanks.example')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await pay(page, CARDS.accepted)
    await page.waitForURL('**/dashboard')
    const thanks = page.getByRole('status').filter({ hasText: 'Thank You for Your Purchase!' })
    await expect(thanks).toBeFocused()
    await expect(page.getByText('Thank You for Your Purchase!')).toBeInViewport()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(40)
  })
})
