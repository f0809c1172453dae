import type { Page } from '@playwright/test'
import { axeViolations, layoutProblems } from './accessibility.ts'
import { CARDS, choosePackage, confirmBooking, expectToast, openMore, pay, waitForDialogToClose } from './member.ts'
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

test('the request is asked for the purchase that pays a companion’s place, with the booking and later', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Ada', lastName: 'Brings', health: true })
  const admin = await site.admin()
  const single = (await callApi(member, 'GET', '/api/packages')).find(
    ({ classCount }: { classCount: number }) => classCount === 1,
  )
  const buy = async (): Promise<number> => {
    const sale = { packageId: single.id, method: 'bank_transfer', amount: single.price }
    return (await callApi(admin, 'POST', `/api/admin/users/${member.id}/purchases`, sale)).id
  }
  const requested = async (): Promise<number[]> =>
    (await callApi(admin, 'GET', `/api/admin/purchases?userId=${member.id}`))
      .filter(({ beginRequestedAt }: { beginRequestedAt: string | null }) => beginRequestedAt)
      .map(({ id }: { id: number }) => id)
  const fillIn = async (name: string) => {
    await page.getByLabel('Their first name').fill(name)
    await page.getByLabel('Their last name').fill('Guest')
    await page.getByLabel('Their email address').fill(`${name.toLowerCase()}@friends.example`)
  }
  await buy()
  const second = await buy()
  await signIn(page, member)
  const together = await site.class({ at: '2026-12-12 19:30', title: 'Both of us' })
  await page.goto(`/booking?date=${together.date}`)
  await page.getByRole('button', { name: /Both of us/ }).click()
  await expect(box(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Book for two' }).click()
  await expect(box(page)).toHaveCount(2)
  await fillIn('Gus')
  const forCompanion = page.getByRole('checkbox', { description: /pays for your companion/ })
  await forCompanion.check()
  expect(await layoutProblems(page)).toEqual([])
  await confirmBooking(page)
  await expectToast(page, 'Booking Confirmed')
  await waitForDialogToClose(page)
  expect(await requested()).toEqual([second])

  await buy()
  const alone = await site.class({ at: '2026-12-13 19:30', title: 'First alone' })
  await site.book(member, alone)
  const third = await buy()
  await page.goto('/dashboard')
  await openMore(page, 'First alone')
  await page.getByRole('button', { name: /^Add companion to First alone/ }).click()
  await fillIn('Kim')
  await box(page).check()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Send invitation' }).click()
  await expectToast(page, 'Invitation Sent')
  expect((await requested()).toSorted()).toEqual([second, third].toSorted())
})
