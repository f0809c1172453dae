import { openAsOwner } from './admin.ts'
import { expectFailure, expectToast } from './member.ts'
import { createBookedMember, createStartedClass, sessionRow } from './overview.ts'
import { callApi, expect, signIn, test } from './site.ts'
import { holdRequests, mockReply } from './traffic.ts'

test.describe('attendance', () => {
  test('can be corrected, is sent once when clicked repeatedly, and shows errors', async ({ page, site }) => {
    const { studioClass } = await createStartedClass(site)
    await openAsOwner(page, site)
    const person = sessionRow(page, 'Today', studioClass.title)
    const [cameButton, noShowButton] = [
      person.getByRole('button', { name: 'Came' }),
      person.getByRole('button', { name: 'No show' }),
    ]
    const call = await holdRequests(page, '**/api/admin/bookings/*/attendance')
    const companionButton = person.getByRole('button', { name: 'Add companion of Rosamund Pickersgill' })
    await expect(companionButton).toBeVisible()
    await noShowButton.dblclick()
    await noShowButton.click()
    await expect.poll(call.calls).toBe(1)
    await call.release()
    await expectToast(page, 'Rosamund Pickersgill marked as a no-show')
    expect(call.calls()).toBe(1)
    await expect(noShowButton).toHaveAttribute('aria-pressed', 'true')
    await expect(companionButton).toBeHidden()
    await page.keyboard.press('Shift+Tab')
    await expect(cameButton).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(cameButton).toHaveAttribute('aria-pressed', 'true')
    await expectToast(page, 'Rosamund Pickersgill marked as attended')
    await mockReply(page, '**/api/admin/bookings/*/attendance', 500, {})
    await noShowButton.click()
    await expectFailure(page, 'Error', 'Failed to mark attendance')
    await expect(cameButton).toHaveAttribute('aria-pressed', 'true')
  })

  test('leads to /auth after a 401', async ({ page, site }) => {
    const { studioClass } = await createStartedClass(site)
    await openAsOwner(page, site)
    await mockReply(page, '**/api/admin/bookings/*/attendance', 401, { message: 'Unauthorized' })
    await sessionRow(page, 'Today', studioClass.title).getByRole('button', { name: 'Came' }).click()
    await expectToast(page, 'Unauthorized', 'You are logged out. Logging in again...')
    await page.waitForURL('**/auth')
  })
})

test('cancels a booking for a member, and returns the credit if the owner chooses', async ({ page, site }) => {
  const { member, studioClass } = await createBookedMember(site, '2026-12-07 09:50')
  await openAsOwner(page, site)
  const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' })
  await sessionRow(page, 'Today', studioClass.title)
    .getByRole('button', { name: 'Cancel booking of Rosamund Pickersgill' })
    .click()
  await expect(dialog).toContainText('Less than 120 minutes before the start the credit is forfeited under the policy.')
  await expect(dialog.getByRole('checkbox', { name: 'Return the credit' })).not.toBeChecked()
  await mockReply(page, '**/api/admin/bookings/*/cancel', 500, {})
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expectFailure(page, 'Error', 'Failed to cancel booking')
  await page.unroute('**/api/admin/bookings/*/cancel')
  await dialog.getByRole('checkbox', { name: 'Return the credit' }).check()
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expectToast(page, 'Success', 'Booking cancelled successfully')
  await expect(sessionRow(page, 'Today', studioClass.title)).toContainText('0 of 2 booked')
  const passes = await callApi(member, 'GET', '/api/user/passes')
  expect(passes[0].creditsRemaining).toBe(3)
})

test('returns a forfeited credit with a reason that the member can read', async ({ page, site }) => {
  const { member, studioClass } = await createBookedMember(site, '2026-12-07 09:50')
  const [booking] = await callApi(member, 'GET', '/api/user/bookings')
  await callApi(member, 'PUT', `/api/bookings/${booking.id}/cancel`)
  await site.endUndo()
  await openAsOwner(page, site)
  await page.goto(`/admin?tab=Users&user=${booking.userId}`)
  await page.getByRole('button', { name: `Give back the credit of ${studioClass.title} on 07/12/2026` }).click()
  const dialog = page.getByRole('dialog', { name: 'Give the credit back?' })
  await dialog.getByRole('button', { name: 'Give credit back' }).click()
  await expect(dialog.getByText('Please say why')).toBeVisible()
  await dialog.getByLabel('Why').fill('The bus broke down')
  await dialog.getByRole('button', { name: 'Give credit back' }).click()
  await expectToast(page, 'Success', 'Credit given back')
  const ledger = page.getByRole('table', { name: 'Credit ledger' }).getByRole('row')
  await expect(ledger.filter({ hasText: 'Credit given back' })).toContainText('Eleanor Marsh')
  await expect(ledger.filter({ hasText: 'Cancelled, credit kept' })).toContainText('The member')

  await signIn(page, member)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Credit history' }).click()
  const story = page.getByRole('dialog', { name: 'Credit history' }).getByRole('listitem')
  await expect(story.first()).toContainText('Credit given back')
  for (const text of [studioClass.title, '07/12/2026 at 09:50', 'The bus broke down', 'by the studio']) {
    await expect(story.first()).toContainText(text)
  }
  await expect(story.nth(1)).toContainText('Cancelled in the last 120 minutes before the start')
})

test('offers neither a move nor the credit of a booking whose pass has ended', async ({ page, site }) => {
  const { member, studioClass } = await createBookedMember(site, '2026-12-07 14:30', 'Verity')
  const [pass] = await callApi(member, 'GET', '/api/user/passes')
  await callApi(await site.admin(), 'DELETE', `/api/admin/user-passes/${pass.id}`)
  await openAsOwner(page, site)
  const today = sessionRow(page, 'Today', studioClass.title)
  const cancel = today.getByRole('button', { name: 'Cancel booking of Verity Pickersgill' })
  await expect(cancel).toBeVisible()
  await expect(today.getByRole('button', { name: 'Move Verity Pickersgill' })).toBeHidden()
  await cancel.click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this booking?' })
  await expect(dialog).toContainText('The pass that paid was voided or refunded, so no credit comes back.')
  await expect(dialog.getByRole('checkbox')).toBeHidden()
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expectToast(page, 'Success', 'Booking cancelled successfully')
  const [booking] = await callApi(member, 'GET', '/api/user/bookings')
  await page.goto(`/admin?tab=Users&user=${booking.userId}`)
  const row = page.getByRole('region', { name: 'Bookings' }).getByRole('row').filter({ hasText: studioClass.title })
  await expect(row).toContainText('its credit cannot be given back. You can gift a credit instead.')
  await expect(row.getByRole('button')).toBeHidden()
})

test('opens health information on request and records it in the access log', async ({ page, site }) => {
  const { studioClass } = await createBookedMember(site, '2026-12-08 16:30', 'Philippa')
  await openAsOwner(page, site)
  await sessionRow(page, 'Tomorrow', studioClass.title)
    .getByRole('button', { name: 'Health information of Philippa Pickersgill' })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Health information of Philippa Pickersgill' })
  for (const text of ['Left knee, in spring', 'Postnatal (within 12 months)', 'Sam Stranger', '01632 960199']) {
    await expect(dialog).toContainText(text)
  }
  await page.goto('/admin?tab=Health+Updates&search=Philippa')
  await page.getByText('Access log: Philippa').click()
  const log = page.getByRole('table', { name: 'Access log' })
  const opened = log.getByRole('row').filter({ hasText: 'All answers' }).first()
  await expect(opened).toContainText('Eleanor Marsh')
  await expect(opened).toContainText('Philippa Pickersgill')
  await expect(opened).toContainText('07/12/2026 08:00')
})
