import type { Page } from '@playwright/test'
import { axeViolations, layoutProblems } from './accessibility.ts'
import { CARDS, choosePackage, confirmBooking, expectToast, pay, waitForDialogToClose } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

const box = (page: Page) =>
  page.getByRole('checkbox', { name: /^Please let me start using this pass during the 14-day cancellation period/ })

test('the request to start early is optional, is sent with Confirm Booking or at the checkout, and can be withdrawn', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Winifred', lastName: 'Begins', health: true })
  const soon = await site.class({ at: '2026-12-10 19:30', title: 'Soon enough' })
  await signIn(page, member)
  await choosePackage(page, '8 Class Pass')
  await expect(box(page)).not.toBeChecked()
  await pay(page, CARDS.accepted)
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  const requestTimes = async () => {
    const bought = await callApi(await site.admin(), 'GET', `/api/admin/purchases?userId=${member.id}`)
    return bought.map(({ beginRequestedAt }: { beginRequestedAt: string | null }) => beginRequestedAt)
  }
  expect(await requestTimes()).toEqual([null])

  await page.goto(`/booking?date=${soon.date}`)
  await page.getByRole('button', { name: /Soon enough/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Soon enough' })
  await expect(
    dialog.getByText('8 Class Pass pays for this class, and you can cancel that purchase until 21/12/2026.'),
  ).toBeVisible()
  const confirm = dialog.getByRole('button', { name: 'Confirm Booking' })
  await expect(confirm).toHaveAccessibleDescription('Tick the first two boxes to confirm.')
  await box(page).check()
  await box(page).uncheck()
  await box(page).check()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await waitForDialogToClose(page)
  expect(await requestTimes()).toEqual([null])

  await page.getByRole('button', { name: /Soon enough/ }).click()
  await expect(box(page)).not.toBeChecked()
  await box(page).check()
  await confirmBooking(page)
  await expectToast(page, 'Booking Confirmed')
  await waitForDialogToClose(page)
  expect(await requestTimes()).toEqual(['2026-12-07T08:00:00Z'])

  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Receipts' }).click()
  const receipts = page.getByRole('dialog', { name: 'Receipts' })
  const request = receipts.getByText('On 07/12/2026 you asked us to start within the 14 days in which you can cancel.')
  await expect(request).toBeVisible()
  expect(await layoutProblems(page)).toEqual([])
  expect(await axeViolations(page)).toEqual([])
  await receipts.getByRole('button', { name: 'Withdraw this request for 8 Class Pass' }).click()
  await expect(request).toBeHidden()
  expect(await requestTimes()).toEqual([null])

  // Ticked at the checkout. This pass expires first and pays for the next class, so the dialog does not ask.
  await choosePackage(page, '4 Class Pass')
  await expect(box(page)).not.toBeChecked()
  await box(page).check()
  await pay(page, CARDS.accepted)
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()
  expect((await site.mailTo(member.email, /receipt for 4/)).text).toContain('You asked us on 07/12/2026 to begin')
  const later = await site.class({ at: '2026-12-11 19:30', title: 'Later than that' })
  await page.goto(`/booking?date=${later.date}`)
  await page.getByRole('button', { name: /Later than that/ }).click()
  await expect(page.getByRole('dialog', { name: 'Later than that' }).getByLabel(/terms and conditions/)).toBeVisible()
  await expect(box(page)).toHaveCount(0)
})
