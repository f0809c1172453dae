import { chooseDay, follow } from './admin.ts'
import { callApi, expect, signIn, test } from './site.ts'
import { mockResponse } from './traffic.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('shows who downloaded a member’s data in three taps, and can retry after an error', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Ottoline', lastName: 'Recorded', health: true })
  const owner = await site.admin()
  await callApi(owner, 'GET', `/api/admin/users/${member.id}/export`)
  await signIn(page, owner)
  await page.goto('/admin')
  await follow(page, 'Studio settings') // tap 1
  await mockResponse(page, '**/api/admin/security**', 500, {
    message: 'Something went wrong on our side. Please try again.',
  })
  await page.getByRole('link', { name: 'security record' }).click() // tap 2
  await expect(page.getByText('Something went wrong on our side.')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click() // a mistake
  const record = page.getByRole('list', { name: 'Security record' })
  await expect(record.getByRole('listitem').first()).toBeVisible()

  await page.getByLabel('Search by name or email').fill('Ottoline') // tap 3
  await expect(page).toHaveURL(/search=Ottoline/)
  await expect(record.getByRole('listitem').filter({ hasNotText: 'Ottoline Recorded' })).toHaveCount(0)
  await expect(record.getByRole('listitem').filter({ hasText: 'Data downloaded' })).toContainText(
    'about Ottoline Recorded',
  )
  await expect(record.getByRole('listitem').filter({ hasText: 'Health information read' })).toContainText('all answers')

  await page.getByLabel('What').selectOption('Data downloaded')
  await expect(record.getByRole('listitem')).toHaveCount(1)
  await chooseDay(page, 'From', '2026-12-08')
  await expect(page.getByText('Nothing on record matches')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Nothing on record matches')).toBeVisible()
  await chooseDay(page, 'From', '2026-12-07')
  await record.getByRole('link', { name: 'Ottoline Recorded' }).click()
  await expect(page.getByRole('heading', { name: 'Ottoline Recorded' })).toBeVisible()
})
