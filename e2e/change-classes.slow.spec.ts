import { chooseDay, createWeeklySeries, openTab, packageNamed } from './admin.ts'
import { CARDS, expectToast, pay, waitForDialogToClose } from './member.ts'
import { callApi, expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('illness: closes a morning, keeps the afternoon, and visitors read the hours', async ({ page }) => {
  // Its own site, because closed hours affect all tests.
  const site = await Site.open(MONDAY_MORNING, { refreshMs: 1000 })
  try {
    const member = await site.member({ firstName: 'Harriet', lastName: 'Lazenby', health: true, credits: 3 })
    const ill = await site.class({ at: '2026-12-08 08:10', title: 'Early' })
    await site.book(member, ill)
    await site.class({ at: '2026-12-08 16:10', title: 'Afternoon' })
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin`)

    await page.getByRole('link', { name: 'Close Days' }).click() // tap 1
    const dialog = page.getByRole('dialog', { name: 'Close Days' })
    await dialog.getByLabel('Part of the day').check() // tap 2
    await chooseDay(dialog, 'Day', '2026-12-08') // taps 3 and 4
    await expect(dialog.getByLabel('From', { exact: true })).toHaveValue('07:00')
    await dialog.getByLabel('From', { exact: true }).fill('')
    await dialog.getByLabel('To', { exact: true }).fill('')
    await dialog.getByLabel('Reason').fill('Eleanor has a cold.')
    await dialog.getByRole('button', { name: 'Close these hours' }).click()
    await expect(dialog.getByText('Please enter both times')).toBeVisible()
    await dialog.getByLabel('From', { exact: true }).fill('0800')
    await dialog.getByLabel('To', { exact: true }).fill('1200')
    await expect(dialog.getByRole('checkbox', { name: /08:10: Early/ })).toBeVisible()
    await expect(dialog.getByRole('checkbox', { name: /Afternoon/ })).toBeHidden()
    await dialog.getByRole('button', { name: 'See the email' }).click()
    await expect(dialog.getByRole('article')).toContainText(
      'the studio is closed on Tuesday 8 December from 08:00 to 12:00: Eleanor has a cold.',
    )
    await dialog.getByRole('button', { name: /^Close these hours, cancel \d+ class(es)?, email 1 person/ }).click()
    await expectToast(page, /The studio is closed\. \d+ class(es)? cancelled\./)
    await waitForDialogToClose(page)

    const path = '/harrogate-reformer-pilates-classes'
    const html = async () => (await fetch(site.origin + path)).text()
    await expect.poll(html, { timeout: 60_000 }).toContain('Eleanor has a cold.')
    await page.goto(site.origin + path)
    await expect(page.getByRole('region', { name: 'Closed days' })).toContainText(
      'Tuesday 8 December, closed 08:00 to 12:00',
    )
    await page.goto(`${site.origin}/booking?date=2026-12-08`)
    await expect(page.getByText('Afternoon')).toBeVisible()
    await expect(page.getByText('Early')).toBeHidden()
  } finally {
    await site.close()
  }
})

test('a series from a date: this and the later ones, the end with the start, the email before it is sent', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Ida', lastName: 'Later', health: true, credits: 3 })
  const first = await createWeeklySeries(site, 'From a date', '2027-02-03 06:10', '2027-02-24')
  const classes: { id: number; title: string; date: string }[] = await callApi(
    await site.admin(),
    'GET',
    '/api/classes',
  )
  const third = classes.find(({ title, date }) => title === first.title && date === '2027-02-17')
  await site.book(member, { id: third?.id ?? 0 })
  await openTab(page, site, 'Classes', '&from=2027-02-01')
  await page.getByRole('button', { name: /^Show all/ }).click()
  await page.getByRole('button', { name: 'Edit From a date on 10/02/2027 at 06:10' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Class' })
  for (const label of ['This class only', 'All 4 classes on Wednesday at 06:10', 'This and 2 later']) {
    await expect(dialog.getByLabel(label)).toBeVisible()
  }
  await dialog.getByLabel('This and 2 later').check()
  await dialog.getByLabel('Start time').fill('06:25')
  await expect(dialog.getByLabel('End time')).toHaveValue('07:10')
  await expect(dialog.getByText('1 person has booked. We’ll email them the new time.')).toBeVisible()
  await dialog.getByRole('button', { name: 'See the email' }).click()
  await expect(dialog.getByText('We’ll email 1 person.')).toBeVisible()
  await expect(dialog.getByRole('article')).toContainText('has moved to Wednesday 17 February at 06:25')
  await dialog.getByRole('button', { name: 'Save and email 1 person' }).click()
  await expectToast(page, 'Class updated successfully')
  await site.mailTo(member.email, /has moved to Wednesday 17 February at 06:25$/)
  const times = (await callApi(await site.admin(), 'GET', '/api/classes?from=2027-02-03&to=2027-02-24'))
    .filter(({ title }: { title: string }) => title === first.title)
    .map(({ startTime }: { startTime: string }) => startTime)
  expect(times).toEqual(['06:10', '06:25', '06:25', '06:25'])
})

test('a price from a date: a checkout left open over midnight refuses clearly and shows the new total', async ({
  page,
}) => {
  const site = await Site.open(MONDAY_MORNING, { refreshMs: 1000 })
  try {
    await site.travelTo('2026-12-07 23:50')
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin?tab=Packages`)
    await page.getByRole('button', { name: 'Edit 8 Class Pass' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Package' })
    await dialog.getByRole('button', { name: 'Plan another price from a date' }).click()
    await dialog.getByLabel('New price (£)').fill('440')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByText('Please enter the first day of the new price')).toBeVisible()
    await chooseDay(dialog, 'New price from', '2026-12-08')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Package updated successfully')
    await expect(page.getByText('£440.00 from 08/12/2026')).toBeVisible()

    const member = await site.member()
    const other = await page
      .context()
      .browser()
      ?.newContext({ viewport: { width: 390, height: 844 } })
    const checkout = await other?.newPage()
    if (!checkout) throw new Error('no browser')
    await checkout.goto(site.origin)
    await signIn(checkout, member)
    const sold = await packageNamed(site, '8 Class Pass')
    await checkout.goto(`${site.origin}/checkout?packageId=${sold.id}&amount=424`)
    await expect(checkout.getByRole('button', { name: 'Complete Payment - £424.00' })).toBeVisible()
    await site.travelTo('2026-12-08 00:31')
    const state = async () =>
      (await site.pool.query('select state from payment_intents where user_id = $1', [member.id])).rows[0]?.state
    await expect.poll(state, { timeout: 150_000 }).toBe('cancelled')
    await pay(checkout, CARDS.accepted)
    await expect(checkout.getByText('The price of this package has changed. It is £440.00 now.')).toBeVisible()
    await checkout.getByRole('link', { name: 'Try again with £440.00' }).click()
    await expect(checkout.getByRole('button', { name: 'Complete Payment - £440.00' })).toBeVisible()
    await checkout.goto(`${site.origin}/pricing`)
    await expect(checkout.getByText('£440', { exact: true })).toBeVisible()
    await other?.close()
  } finally {
    await site.close()
  }
})
