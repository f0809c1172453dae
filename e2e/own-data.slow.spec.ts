import { readFile } from 'node:fs/promises'
import { expectFailure, expectToast } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

test('a member downloads their data and deletes the account after a confirmation', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Rosalind', health: true, credits: 2 })
  await signIn(page, member)
  await page.goto('/health')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download my data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('my-data.json')
  const data = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(data).toMatchObject({ account: { email: member.email }, passes: [{ creditsRemaining: 2 }] })

  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const deleteButton = page.getByRole('button', { name: 'Delete my account' })
  await deleteButton.click()
  await expect(dialog).toContainText('You cannot undo this.')
  await dialog.getByRole('button', { name: 'Keep my account' }).click()
  await expect(dialog).toHaveCount(0)

  await mockResponse(page, '**/api/user', 500, '', 'DELETE')
  await deleteButton.click()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expectFailure(page, 'Error', 'Your account could not be deleted. Please try again.')
  await page.unrouteAll()

  const call = await holdRequests(page, '**/api/user', 'DELETE')
  await deleteButton.click()
  await dialog.getByRole('button', { name: 'Delete account' }).dblclick()
  await call.release()
  const done = page.getByRole('dialog', { name: 'Account deleted' })
  await expect(done).toContainText('Your account and its data are gone.')
  expect(call.calls()).toBe(1)
  await done.getByRole('button', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeAttached()
  await page.goto('/health')
  await page.waitForURL('**/auth')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a member sees who read their data and how long it is kept, complains, and withdraws consent', async ({
    page,
    site,
  }) => {
    const member = await site.member({ firstName: 'Prunella', lastName: 'Asks', health: true, credits: 2 })
    await site.book(member, await site.class({ at: '2026-12-09 18:20', title: 'Kept all the same' }))
    const owner = await site.admin()
    await callApi(owner, 'GET', `/api/admin/users/${member.id}/health`)
    await signIn(page, member)
    await page.goto('/health')
    await page.getByText('Who read your health information').click() // one tap each
    await expect(page.getByRole('listitem').filter({ hasText: 'read all your answers' })).toContainText('at 08:00')
    await page.getByText('What we keep, and until when').click()
    await expect(page.getByText('Until Saturday 9 December 2028')).toBeVisible()
    await expect(
      page.getByText(/health information longer while you have a valid pass, or you have a class ahead/),
    ).toBeVisible()

    await page.getByText('Make a complaint about your data').click()
    await page.getByRole('button', { name: 'Send complaint' }).click()
    await expect(page.getByText('Please say what it is about')).toBeVisible()
    await page.getByLabel('What is wrong with how we handle your data?').fill('You kept my old number.')
    await page.getByRole('button', { name: 'Send complaint' }).dblclick()
    await expectToast(page, 'Complaint received')
    await expect(page.getByText('We answer by Wednesday 6 January 2027.')).toHaveCount(1)
    await site.mailTo(member.email, /received your complaint/)
    const [{ id }] = await callApi(owner, 'GET', `/api/admin/users/${member.id}/data-complaints`)
    await callApi(owner, 'POST', `/api/admin/data-complaints/${id}/answer`, { answer: 'It is corrected.' })
    await page.reload()
    await page.getByText('Make a complaint about your data').click()
    await expect(page.getByText('It is corrected.')).toBeVisible()

    await page.getByText('What you agreed to').click()
    await expect(page.getByText('You agreed on Monday 7 December 2026 to this:').first()).toBeVisible()
    await page.getByRole('button', { name: 'Withdraw and erase my answers' }).click()
    const dialog = page.getByRole('dialog', { name: 'Withdraw your consent?' })
    await expect(dialog).toContainText('1 class ahead stay')
    await expect(dialog).toContainText('Kept all the same, Wednesday 9 December 2026, 18:20')
    await dialog.getByRole('button', { name: 'Withdraw and erase' }).click()
    await expectToast(page, 'Consent withdrawn')
    await expect(
      page.getByText('You withdrew your consent to health information on Monday 7 December 2026'),
    ).toBeVisible()
    await expect(page.getByText('Incomplete')).toBeVisible()
    expect(await callApi(member, 'GET', '/api/health/questionnaire')).toBeNull()
  })
})
