import { expectFailure, expectToast, figure, rowsOf, signInWithTwoBookings } from './member.ts'
import { expect, signIn, test } from './site.ts'
import { mockResponse } from './traffic.ts'

test.describe('cancelling', () => {
  test('removes the booking and returns the credit', async ({ page, site }) => {
    const { first } = await signInWithTwoBookings(page, site)
    await page.goto('/dashboard')
    await expect(figure(page, 'Credits remaining')).toHaveText('6')
    await page.getByRole('button', { name: `Cancel ${first.title} on 10/12/2026` }).click()
    await expectToast(page, 'Success', 'Booking cancelled successfully')
    await expect(figure(page, 'Credits remaining')).toHaveText('7')
    await expect(figure(page, 'This month')).toHaveText('1')
    await page.reload()
    await expect(figure(page, 'This month')).toHaveText('1')
    await expect(page.getByText(first.title)).toHaveCount(0)
  })

  test('offers Undo in the row, which brings the booking back and emails nobody', async ({ page, site }) => {
    const { first, member } = await signInWithTwoBookings(page, site)
    await page.goto('/dashboard')
    const cancel = page.getByRole('button', { name: `Cancel ${first.title} on 10/12/2026` })
    await cancel.click()
    const row = rowsOf(page, 'Upcoming classes').first()
    await expect(row).toContainText('Cancelled. Credit returned.')
    await expect(figure(page, 'Credits remaining')).toHaveText('7')
    const undo = row.getByRole('button', { name: `Undo cancelling ${first.title} on 10/12/2026` })
    await expect(undo).toBeFocused()
    await undo.press('Enter')
    await expectToast(page, 'Booking Restored', `Your booking for ${first.title} is as it was.`)
    await expect(cancel).toBeVisible()
    await expect(undo).toHaveCount(0)
    await expect(figure(page, 'Credits remaining')).toHaveText('6')
    await site.endUndo()
    const mails = 'select count(*)::int as count from pgboss.job where data ->> $1 = $2 and data #>> $3 = $4'
    const { rows } = await site.pool.query(mails, ['mail', 'booking-cancelled', '{to,email}', member.email])
    expect(rows).toEqual([{ count: 0 }])
  })

  test('shows the server’s message and keeps the booking when cancelling is refused', async ({ page, site }) => {
    const { first } = await signInWithTwoBookings(page, site)
    await mockResponse(page, '**/api/bookings/*/cancel', 400, {
      message: 'This booking is already cancelled or completed.',
    })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: `Cancel ${first.title} on 10/12/2026` }).click()
    await expectToast(page, 'Error', 'This booking is already cancelled or completed.')
    await expect(page.getByText(first.title, { exact: true })).toBeVisible()
  })

  test('shows a fallback message when the server sends none', async ({ page, site }) => {
    const { first } = await signInWithTwoBookings(page, site)
    await mockResponse(page, '**/api/bookings/*/cancel', 500, {})
    await page.goto('/dashboard')
    await page.getByRole('button', { name: `Cancel ${first.title} on 10/12/2026` }).click()
    await expectFailure(page, 'Failed to cancel booking')
  })

  test('asks for confirmation when the credit would be lost', async ({ page, site }) => {
    const member = await site.member({ health: true, credits: 1 })
    await site.book(member, await site.class({ at: '2026-12-07 09:50' }))
    await signIn(page, member)
    await page.goto('/dashboard')
    await expect(page.getByText('Cancel: the credit would not be returned')).toBeVisible()
    await page.getByRole('button', { name: /^Cancel/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel without credit?' })
    await dialog.getByRole('button', { name: 'Keep booking' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await dialog.getByRole('button', { name: 'Cancel booking' }).click()
    await expectToast(page, 'Success', 'Booking cancelled successfully')
    await expect(figure(page, 'Credits remaining')).toHaveText('0')
  })
})

test.describe('moving a booking', () => {
  test('shows both classes and moves the booking without another credit', async ({ page, site }) => {
    const { first } = await signInWithTwoBookings(page, site)
    const target = await site.class({ at: '2026-12-10 17:00' })
    const soon = await site.class({ at: '2026-12-07 09:35' })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: `Reschedule ${first.title} on 10/12/2026` }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('until you confirm')
    await dialog.getByRole('button', { name: /^Mon 7/ }).click()
    await dialog.getByRole('button', { name: new RegExp(`${soon.title} at 09:35`) }).click()
    await expect(dialog).toContainText('If you move to it and then cancel, you will not get the credit back')
    await dialog.getByRole('button', { name: 'Choose another' }).click()
    await dialog.getByRole('button', { name: /^Thu 10/ }).click()
    await dialog.getByRole('button', { name: new RegExp(`${target.title} at 17:00`) }).click()
    await expect(dialog).toContainText('Move your booking?')
    await expect(dialog).not.toContainText('you will not get the credit back')
    await dialog.getByRole('button', { name: 'Move booking' }).click()
    await expectToast(page, 'Booking Moved', `${target.title} is now on Thursday 10 December 2026 at 17:00.`)
    await expect(page.getByText(first.title)).toHaveCount(0)
    await expect(rowsOf(page, 'Upcoming classes').first()).toContainText(target.title)
    await expect(figure(page, 'Credits remaining')).toHaveText('6')
  })

  test('keeps the booking when the new class has just become full', async ({ page, site }) => {
    const { first } = await signInWithTwoBookings(page, site)
    const target = await site.class({ at: '2026-12-10 18:00', places: 1 })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: `Reschedule ${first.title} on 10/12/2026` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: new RegExp(`${target.title} at 18:00`) }).click()
    await site.book(await site.member({ health: true, credits: 1 }), target)
    await dialog.getByRole('button', { name: 'Move booking' }).click()
    await expectToast(page, 'Not Moved', 'This class is fully booked.')
    await expect(dialog.getByRole('alert')).toContainText('Your booking is unchanged.')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(rowsOf(page, 'Upcoming classes').first()).toContainText(first.title)
  })
})
