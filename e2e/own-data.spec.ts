import { readFile } from 'node:fs/promises'
import { expectToast } from './member.ts'
import { expect, signIn, test } from './site.ts'
import { answer, hold } from './traffic.ts'

test('a member downloads the own data, and deletes the account after being asked', async ({ page, site }) => {
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
  const ask = page.getByRole('button', { name: 'Delete my account' })
  await ask.click()
  await expect(dialog).toContainText('This cannot be undone.')
  await dialog.getByRole('button', { name: 'Keep my account' }).click()
  await expect(dialog).toHaveCount(0)

  await answer(page, '**/api/user', 500, '', 'DELETE')
  await ask.click()
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expectToast(page, 'Error', 'Your account could not be deleted. Please try again.')
  await page.unrouteAll()

  const call = await hold(page, '**/api/user', 'DELETE')
  await ask.click()
  await dialog.getByRole('button', { name: 'Delete account' }).dblclick()
  await call.go()
  const done = page.getByRole('dialog', { name: 'Account deleted' })
  await expect(done).toContainText('Your account and its data are gone.')
  expect(call.calls()).toBe(1)
  await done.getByRole('button', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeAttached()
  await page.goto('/health')
  await page.waitForURL('**/auth')
})
