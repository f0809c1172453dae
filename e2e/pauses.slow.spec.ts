import { openAsOwner, openTab } from './admin.ts'
import { expectToast, waitForDialogToClose } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('the owner pauses a pass with a booking, ends the pause and extends the pass; the member sees each', async ({
  page,
  site,
}) => {
  const names = { firstName: 'Persephone', lastName: 'Featherstonehaugh-Cholmondeley' }
  const member = await site.member({ ...names, health: true, credits: 3 })
  const booked = await site.class({ at: '2026-12-09 10:00' })
  await site.book(member, booked)
  await openAsOwner(page, site)
  await openTab(page, site, 'Users', `&user=${member.id}`)
  const passes = page.getByRole('region', { name: 'Passes' })
  const dialog = page.getByRole('dialog')

  await passes.getByRole('button', { name: /^Pause/ }).click()
  await expect(dialog).toContainText('The pass will be valid until 14/12/2027.')
  await expect(dialog).toContainText('We’ll cancel 1 booking and return the credit:')
  await expect(dialog).toContainText(`Wednesday 9 December, 10:00: ${booked.title}`)
  await expect(dialog).toContainText('We’ll email Persephone.')
  await dialog.getByLabel('Reason').fill('Away for work')
  await dialog.getByRole('button', { name: 'Pause pass' }).click()
  await expectToast(page, 'Success', 'Pass paused')
  await waitForDialogToClose(page)
  await expect(passes).toContainText('Paused from 07/12/2026 to 13/12/2026.')
  await expect(passes).toContainText('3 credits left')

  await signIn(page, member)
  await page.goto('/dashboard')
  await expect(page.getByText('Paused from 07/12/2026 to 13/12/2026.')).toBeVisible()
  await expect(page.getByText('No upcoming classes booked')).toBeVisible()
  const refused = await member.request('POST', '/api/bookings', { classId: booked.id })
  expect(refused.body.code).toBe('pass_paused')

  await openAsOwner(page, site)
  await openTab(page, site, 'Users', `&user=${member.id}`)
  await passes.getByRole('button', { name: /^End the pause/ }).click()
  await expect(dialog).toContainText('We’ll email Persephone.')
  await dialog.getByRole('button', { name: 'End pause' }).click()
  await expectToast(page, 'Success', 'Pause ended')
  await expect(passes).not.toContainText('Paused from')
  await expect(passes).toContainText('Expires 07/12/2027')

  await passes.getByRole('button', { name: /^Extend/ }).click()
  await dialog.getByRole('button', { name: 'Extend pass' }).click()
  await expect(dialog.getByText('Please enter the reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('For your patience')
  await dialog.getByRole('button', { name: 'Extend pass' }).click()
  await expectToast(page, 'Success', 'Pass extended to 14/12/2027')
  await expect(page.getByRole('region', { name: 'Credit ledger' })).toContainText('For your patience')
})

test('asks the owner to tell a member without an email address about a pause or an extension', async ({
  page,
  site,
}) => {
  const person = { firstName: 'Winifred', lastName: 'Featherstonehaugh', phone: '01423 960 112' }
  const { id } = await callApi(await site.admin(), 'POST', '/api/admin/users', person)
  const credits = { packageId: 1, creditsToGift: 1, userId: id }
  await callApi(await site.admin(), 'POST', `/api/admin/users/${id}/gift-credits`, credits)
  await openTab(page, site, 'Users', `&user=${id}`)
  for (const button of ['Pause', 'Extend']) {
    await page.getByRole('button', { name: new RegExp(`^${button}`) }).click()
    const dialog = page.getByRole('dialog', { name: `${button} pass` })
    await expect(dialog).toContainText('Winifred has no email address, so please tell them.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await waitForDialogToClose(page)
  }
})
