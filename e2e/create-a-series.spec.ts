import { openTab } from './admin.ts'
import { expectFailure, expectToast } from './member.ts'
import { expect, test } from './site.ts'
import { holdRequests, mockResponse } from './traffic.ts'

test('creates a series after validating fields, disabling past days and checking the end time', async ({
  page,
  site,
}) => {
  await openTab(page, site, 'Classes')
  await page.getByRole('button', { name: 'Create Class' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Class' })
  const create = dialog.getByRole('button', { name: 'Create Class' })
  await expect(dialog.getByLabel('Max participants')).toHaveValue('2')
  await dialog.getByLabel('Repeat this class').check()
  await create.click()
  for (const text of ['Title is required', 'Date is required', 'Start time is required', 'End time is required'])
    await expect(dialog.getByText(text)).toBeVisible()
  await expect(dialog.getByText('Repeat frequency and end date are required for repeating classes')).toHaveCount(2)

  const day = (name: RegExp) => dialog.getByRole('gridcell').getByRole('button', { name })
  // No other class is this early, so the dialog does not ask about an overlap.
  await dialog.getByLabel('Title').fill('Flow at Dawn')
  await dialog.getByRole('button', { name: /^Date/ }).click()
  await expect(day(/ 6 December 2026/)).toBeDisabled()
  await expect(day(/ 7 December 2026/)).toBeEnabled()
  await day(/ 10 December 2026/).click()
  await expect(dialog.getByRole('button', { name: /^Date/ })).toContainText('Thursday 10 December 2026')

  await dialog.getByLabel('Start time').fill('25:00')
  await expect(dialog.getByText('Start time is required')).toBeVisible()
  await dialog.getByLabel('Start time').fill('')
  await dialog.getByLabel('Start time').pressSequentially('0405')
  await expect(dialog.getByLabel('Start time')).toHaveValue('04:05')
  await expect(dialog.getByLabel('End time')).toHaveValue('04:50')
  await expect(dialog.getByText('Start time is required')).toBeHidden()
  await dialog.getByLabel('End time').fill('03:00')
  await expect(
    dialog.getByText('The end time is not after the start time, so the class will be treated as 45 minutes long.'),
  ).toBeVisible()
  await dialog.getByLabel('End time').fill('04:50')

  await dialog.getByLabel('How often').selectOption('Weekly')
  await dialog.getByRole('button', { name: /^Repeat until/ }).click()
  await expect(day(/ 10 December 2026/)).toBeDisabled()
  await day(/ 24 December 2026/).click()
  await expect(dialog.getByText('3 classes, the last on Thursday 24 December 2026.')).toBeVisible()

  await mockResponse(page, '**/api/classes', 500, '', 'POST')
  await create.click()
  await expectFailure(page, 'Failed to create class')
  await page.unrouteAll()
  const sent = await holdRequests(page, '**/api/classes', 'POST')
  await create.dblclick()
  await sent.release()
  await expectToast(page, 'Class created successfully')
  expect(sent.calls()).toBe(1)
  await expect(page.getByRole('listitem').filter({ hasText: 'Flow at Dawn' })).toHaveCount(3)
  const thursday = page.getByRole('region', { name: 'Thursday 10/12/2026' }).getByRole('listitem')
  await expect(thursday.filter({ hasText: 'Flow at Dawn' })).toContainText(/04:05 - 04:50.*Flow at Dawn.*0\/2.*Active/)
})
