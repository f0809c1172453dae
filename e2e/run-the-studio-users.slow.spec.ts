import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { openTab, searchFor, storedUser, unfold } from './admin.ts'
import { dismissToast, expectFailure, expectToast, openMore } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { failRequests, holdRequests, mockResponse } from './traffic.ts'

test.describe('users', () => {
  test('are listed with every field, with search and page in the URL', async ({ page, site }) => {
    const zara = await site.member({ firstName: 'Zara', lastName: 'Quill', health: true, credits: 5 })
    await site.book(zara, await site.class({ at: '2026-12-14 10:00' }))
    await Promise.all(Array.from({ length: 12 }, () => site.member({ lastName: 'Crowd' })))
    await openTab(page, site, 'Users')
    await expect(page.getByRole('main').getByRole('link', { name: 'Logout' })).toHaveAttribute('href', '/api/logout')
    await page.getByRole('searchbox', { name: 'Search members' }).fill('quill')
    const row = page.getByRole('row').filter({ hasText: 'Zara Quill' })
    await expect(row.getByRole('cell')).toHaveText([
      'Zara Quill',
      new RegExp(`${zara.email} ?@${zara.email}`),
      /07\/12\/2026/,
      /1$/,
      /4$/,
      /Gift Credits.*Edit.*Delete/,
      '',
    ])
    await expect(page).toHaveURL(/tab=Users&search=quill/)
    await page.reload()
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByRole('searchbox').fill('Nobody of this name')
    await expect(page.getByText('No members match “Nobody of this name”.')).toBeVisible()

    await page.getByRole('searchbox').fill('')
    await expect(page.getByText(/^1 to 25 of \d+$/)).toBeVisible()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText(/^26 to \d+ of \d+$/)).toBeVisible()
    await page.getByRole('searchbox').fill('Eleanor')
    const me = page.getByRole('row').filter({ hasText: 'Eleanor Marsh' })
    await expect(me.getByText('Admin', { exact: true })).toBeVisible()
    await expect(me.getByRole('button', { name: 'Delete Eleanor Marsh' })).toBeDisabled()
    await expect(me.getByText('This is you')).toBeVisible()
  })

  test('show a spinner, and a retry after an error', async ({ page, site }) => {
    const users = await holdRequests(page, '**/api/admin/users?*')
    await openTab(page, site, 'Analytics')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
    await users.release()
    await expect(page.getByRole('table')).toBeVisible()
    await page.unrouteAll()
    await failRequests(page, '**/api/admin/users?*')
    await page.reload()
    await expect(page.getByText('The studio could not be reached.')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('table')).toBeVisible()
  })
})

test('members are downloaded as a file, and a failure is shown', async ({ page, site }) => {
  await site.member({ firstName: 'Zara', lastName: 'Quill' })
  await openTab(page, site, 'Users')
  const item = page.getByRole('button', { name: 'Download members' })
  const button = page.getByRole('button', { name: 'More for members' })
  const file = await holdRequests(page, '**/api/admin/members.csv')
  await button.click()
  await item.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  const [download] = await Promise.all([page.waitForEvent('download'), file.release()])
  expect(download.suggestedFilename()).toBe('members.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain('Zara,Quill,')
  await expectToast(page, 'Members downloaded')
  await dismissToast(page)
  await page.unrouteAll()
  await failRequests(page, '**/api/admin/members.csv')
  await button.click()
  await item.click()
  await expectFailure(page, 'The studio could not be reached.')
})

test.describe('editing a user', () => {
  test('validates, trims, grants admin rights and shows refusals', async ({ page, site }) => {
    const member = await site.member({ firstName: 'Edna', lastName: 'Before' })
    await openTab(page, site, 'Users', searchFor(member.email))
    await page.getByRole('button', { name: 'Edit Edna Before' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit member' })
    const save = dialog.getByRole('button', { name: 'Save' })
    await dialog.getByLabel('Username').fill('ab')
    await dialog.getByLabel('Email').fill('nothing')
    await dialog.getByLabel('First name').fill(' ')
    await dialog.getByLabel('Last name').fill('')
    await save.click()
    for (const text of [
      'Username must be at least 3 characters',
      'Invalid email address',
      'First name is required',
      'Last name is required',
    ])
      await expect(dialog.getByText(text)).toBeVisible()

    await dialog.getByLabel('Username').fill('admin@studio.example')
    await dialog.getByLabel('Email').fill(member.email)
    await dialog.getByLabel('First name').fill('  Edna ')
    await dialog.getByLabel('Last name').fill('After')
    await dialog.getByLabel('Role').selectOption('Admin')
    await save.click()
    await expectFailure(page, 'Failed to update user')
    await expect(dialog.getByRole('alert')).toHaveText('This username is already taken.')

    await dialog.getByLabel('Username').fill(member.email)
    await save.click()
    await expectToast(page, 'User updated successfully')
    await expect(
      page.getByRole('row').filter({ hasText: 'Edna After' }).getByText('Admin', { exact: true }),
    ).toBeVisible()
    expect(await storedUser(site, member.id)).toMatchObject({ firstName: 'Edna', lastName: 'After', isAdmin: true })

    await page.goto('/admin?tab=Users&search=Eleanor')
    await page.getByRole('button', { name: 'Edit Eleanor Marsh' }).click()
    await expect(dialog.getByLabel('Role')).toBeDisabled()
    await expect(dialog.getByText('You cannot remove your own admin rights.')).toBeVisible()
    await save.click()
    await expectToast(page, 'User updated successfully')
  })

  test("keeps another admin's change and the values typed", async ({ page, site }) => {
    await page.setViewportSize({ width: 390, height: 560 })
    const member = await site.member({ firstName: 'Tess', lastName: 'Twice' })
    await openTab(page, site, 'Users', searchFor(member.email))
    await page.getByRole('button', { name: 'Edit Tess Twice' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit member' })
    await dialog.getByLabel('First name').fill('Tessa')
    await callApi(await site.admin(), 'PUT', `/api/admin/users/${member.id}`, { lastName: 'Other' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectFailure(page, 'Failed to update user')
    const notice = dialog.getByRole('alert')
    await expect(notice).toContainText('Someone else has changed this since you opened it.')
    await expect(notice.getByRole('button', { name: 'Reload' })).toBeInViewport()
    const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN
    expect(await topOf(notice)).toBeLessThan(await topOf(dialog.getByLabel('First name')))
    await dialog.getByRole('button', { name: 'Reload' }).click()
    await expect(dialog.getByLabel('Last name')).toHaveValue('Other')
    await expect(dialog.getByLabel('First name')).toHaveValue('Tessa')
    await dialog.getByText('History').click()
    await expect(dialog.getByText('Last name: Twice → Other')).toBeVisible()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'User updated successfully')
    expect(await storedUser(site, member.id)).toMatchObject({ firstName: 'Tessa', lastName: 'Other' })
  })
})

test('deletes a user after the specified question, what it costs and the typed name', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Dirk', lastName: 'Gone', credits: 2 })
  await openTab(page, site, 'Users', searchFor(member.email))
  await page.getByRole('button', { name: 'Delete Dirk Gone' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(
    'Are you sure you want to delete Dirk Gone? This action cannot be undone and will permanently remove their account and all associated data.',
  )
  await expect(dialog).toContainText('2 credits, without a refund')
  await expect(dialog.getByRole('button', { name: 'Delete member' })).toBeDisabled()
  await dialog.getByLabel(/^Type .*Dirk Gone/).fill('dirk gone')
  await mockResponse(page, `**/api/admin/users/${member.id}?*`, 500, '', 'DELETE')
  await dialog.getByRole('button', { name: 'Delete member' }).click()
  await expectFailure(page, 'Failed to delete user')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Delete member' }).click()
  await expectToast(page, 'User deleted successfully')
  await expect(page.getByText(/^No members match/)).toBeVisible()
})

test("a member's page books, cancels, deletes a pass and adds notes, all shown in the history", async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Paula', lastName: 'Page', health: true })
  const studioClass = await site.class({ at: '2026-12-15 10:00' })
  await openTab(page, site, 'Users', searchFor(member.email))
  await page.getByRole('link', { name: 'Paula Page' }).click()
  for (const empty of ['No bookings yet', 'No passes yet', 'No credits have moved yet'])
    await expect(page.getByText(empty)).toBeVisible()

  await page.getByRole('button', { name: 'Book a class' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Book class' }).click()
  await expect(dialog.getByText('Please choose a class')).toBeVisible()
  await dialog.getByLabel('Class', { exact: true }).selectOption(String(studioClass.id))
  await dialog.getByRole('button', { name: 'Book class' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('You need a class pass to book. Please choose one first.')
  await site.grantCredits(member, 4)
  await dialog.getByRole('button', { name: 'Book class' }).click()
  await expectToast(page, 'Booked for Paula Page')
  const bookings = page.getByRole('region', { name: 'Bookings' })
  await expect(bookings.getByRole('row').filter({ hasText: studioClass.title })).toContainText('Confirmed')
  await bookings.getByRole('button', { name: /^Cancel/ }).click()
  await expect(dialog).toContainText('We’ll email Paula Page.')
  await expect(dialog.getByRole('checkbox', { name: 'Return the credit' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Cancel booking' }).click()
  await expectToast(page, 'Booking cancelled successfully')
  await expect(page.getByRole('region', { name: 'Credit ledger' }).getByRole('row')).toHaveCount(4)

  await page.getByRole('button', { name: 'Delete pass 8 Class Pass' }).click()
  await expect(dialog).toContainText('The 4 credits left on 8 Class Pass will be removed.')
  await mockResponse(page, '**/api/admin/user-passes/*', 500, '')
  await dialog.getByRole('button', { name: 'Delete pass' }).click()
  await expectFailure(page, 'Failed to delete user pass')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Delete pass' }).click()
  await expectToast(page, 'User pass deleted successfully')
  await expect(page.getByText('Credits taken away')).toBeVisible()

  await unfold(page, 'Notes')
  await page.getByLabel('New note').fill('Prefers mornings')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expectToast(page, 'Note added')
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes.getByText('Prefers mornings')).toHaveCount(1)
  await expect(page.getByText(/^Note of .*: Prefers mornings$/)).toBeVisible()
  await notes.getByRole('button', { name: /^Delete note/ }).click()
  await expectToast(page, 'Note deleted')
  await expect(notes.getByRole('listitem')).toHaveCount(0)

  await page.getByText('History', { exact: true }).click()
  for (const done of ['Note deleted', 'Note added', 'Pass deleted', 'Booked for the member', 'Credits gifted'])
    await expect(page.getByRole('listitem').filter({ hasText: `${done} by Eleanor Marsh` })).toBeVisible()
})

test('blocks a member with a reason, unblocks them and downloads their data', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Bertha', lastName: 'Blocked', health: true, credits: 2 })
  const studioClass = await site.class({ at: '2026-12-10 13:35', title: 'Not for her' })
  await openTab(page, site, 'Users', `&user=${member.id}`)
  await openMore(page)
  await page.getByRole('button', { name: 'Block', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Block Bertha Blocked?' })
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(dialog.getByText('Please enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Left the door open, twice')
  await dialog.getByRole('button', { name: 'Block' }).dblclick()
  await expectToast(page, 'Bertha Blocked is blocked')
  await expect(page.getByText('“Left the door open, twice”')).toBeVisible()
  const forMember = ['Book a class', 'Record a sale', 'Set up a regular booking'].map((name) =>
    page.getByRole('button', { name }),
  )
  for (const button of forMember) {
    await expect(button).toBeDisabled()
    await expect(button).toHaveAccessibleDescription(/Cannot book or buy since/)
  }
  await openMore(page)
  await expect(page.getByRole('button', { name: 'Sell voucher' })).toBeDisabled()
  await expect(page.getByText('Blocked: cannot book or buy.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('dialog', { name: 'Edit member' })
  await expect(edit.getByLabel('Role')).toBeDisabled()
  await expect(edit).toContainText('A blocked member cannot become an admin or teacher. Unblock them first.')
  await edit.getByRole('button', { name: 'Cancel' }).click()
  const refused = await member.request('POST', '/api/bookings', {
    classId: studioClass.id,
    participantCount: 1,
    usePass: true,
  })
  expect(refused.status).toBe(403)
  await openMore(page)
  await page.getByRole('button', { name: 'Unblock' }).click()
  await expectToast(page, 'Bertha Blocked can book again')
  for (const button of forMember) await expect(button).toBeEnabled()
  await site.book(member, studioClass)

  const download = page.waitForEvent('download')
  await openMore(page)
  await page.getByRole('button', { name: 'Download this member’s data' }).click()
  expect((await download).suggestedFilename()).toBe(`member-${member.id}.json`)
})

test('offers no block of a teacher', async ({ page, site }) => {
  const teacher = await site.member({ firstName: 'Tabitha', lastName: 'Locke' })
  await openTab(page, site, 'Users', `&user=${teacher.id}`)
  await openMore(page)
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeVisible()
  await callApi(await site.admin(), 'PUT', `/api/admin/users/${teacher.id}`, { role: 'teacher' })
  await page.reload()
  await expect(page.getByText('Teacher', { exact: true })).toBeVisible()
  await openMore(page)
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Block', exact: true })).toBeHidden()
})
