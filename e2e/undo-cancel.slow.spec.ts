import { expectToast, rowsOf, section, signInWithTwoBookings } from './member.ts'
import { expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('offers Undo for ten seconds, then removes the row and leaves the focus in the list', async ({ page, site }) => {
  const { first, second } = await signInWithTwoBookings(page, site)
  await page.goto('/dashboard?view=detailed')
  const list = section(page, 'Upcoming Bookings')
  await list.getByRole('button', { name: `Cancel ${first.title} on 10/12/2026` }).dblclick()
  await expectToast(page, 'Success', 'Booking cancelled successfully')
  const undo = page.getByRole('button', { name: `Undo cancelling ${first.title} on 10/12/2026` })
  await expect(undo, 'in the next-class card and in the list').toHaveCount(2)
  await expect(page.getByRole('button', { name: `Cancel ${second.title} on 13/12/2026` })).toHaveCount(2)
  await expect(undo).toHaveCount(0, { timeout: 30_000 })
  await expect(rowsOf(page, 'Upcoming Bookings')).toHaveCount(1)
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false)
})

test('undoes a late cancellation with its kept credit', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 1 })
  const soon = await site.class({ at: '2026-12-07 09:35' })
  await site.book(member, soon)
  await signIn(page, member)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Cancel/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click()
  const row = rowsOf(page, 'Upcoming classes').first()
  await expect(row).toContainText('Cancelled. Credit kept.')
  await row.getByRole('button', { name: /^Undo/ }).click()
  await expectToast(page, 'Booking Restored')
  await expect(row.getByRole('button', { name: /^Cancel/ })).toBeVisible()
})

test('says why it cannot be undone when another member has the place', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 1 })
  const single = await site.class({ at: '2026-12-10 13:30', places: 1 })
  await site.book(member, single)
  await signIn(page, member)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^Cancel/ }).click()
  const undo = page.getByRole('button', { name: /^Undo/ })
  await expect(undo).toBeVisible()
  await site.book(await site.member({ health: true, credits: 1 }), single)
  await undo.click()
  await expectToast(page, 'Not Undone', 'Your place has just been taken, so your booking cannot be brought back.')
  await expect(undo).toHaveCount(0)
  await expect(page.getByText('No upcoming classes booked')).toBeVisible()
})
