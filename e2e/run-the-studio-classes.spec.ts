import { chooseDay, createWeeklySeries, openTab } from './admin.ts'
import { expectFailure, expectToast, waitForDialogToClose } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { holdRequests, mockReply } from './traffic.ts'

test('creating a class says what it needs, disables days, warns of its end, and makes a series', async ({
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
  // Nobody else's class is so early: the dialog would ask before it overlaps.
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
    dialog.getByText('The end is not after the start. The class will count as 45 minutes long.'),
  ).toBeVisible()
  await dialog.getByLabel('End time').fill('04:50')

  await dialog.getByLabel('How often').selectOption('Weekly')
  await dialog.getByRole('button', { name: /^Repeat until/ }).click()
  await expect(day(/ 10 December 2026/)).toBeDisabled()
  await day(/ 24 December 2026/).click()
  await expect(dialog.getByText('3 classes, the last on Thursday 24 December 2026.')).toBeVisible()

  await mockReply(page, '**/api/classes', 500, '', 'POST')
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

test('the list goes to a class that was created for another month, and the dialog asks before classes overlap', async ({
  page,
  site,
}) => {
  await site.class({ at: '2027-04-13 10:00', title: 'There already' })
  await page.setViewportSize({ width: 390, height: 844 })
  await openTab(page, site, 'Classes')
  await expect(page.getByText('Use the arrows to see the months before and after.')).toBeVisible()
  await page.getByRole('button', { name: 'Create Class' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Class' })
  await dialog.getByLabel('Title').fill('In Spring')
  await chooseDay(dialog, 'Date', '2027-04-13')
  await dialog.getByLabel('Start time').fill('10:30')
  await dialog.getByRole('button', { name: 'Create Class' }).click()
  const asked = dialog.getByText('Overlaps with There already on Tuesday 13 April, 10:00 to 10:45.')
  await expect(asked).toBeVisible()
  await expect(page.getByText('Failed to create class')).toBeHidden()
  // Another time is another question.
  await dialog.getByLabel('End time').fill('11:20')
  await expect(asked).toBeHidden()
  await dialog.getByRole('button', { name: 'Create Class' }).click()
  await expect(asked).toBeVisible()
  await dialog.getByRole('button', { name: 'Create anyway' }).click()
  await expectToast(page, 'Class created successfully')
  await expect(page.getByRole('heading', { name: 'April 2027' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'In Spring' })).toBeInViewport()
})

test('editing: one or all alike, never fewer places than booked, off the timetable with what that does', async ({
  page,
  site,
}) => {
  const [ana, ben] = [
    await site.member({ firstName: 'Ana', lastName: 'Booked', health: true, credits: 4 }),
    await site.member({ firstName: 'Ben', lastName: 'Booked', health: true, credits: 4 }),
  ]
  const first = await createWeeklySeries(site, 'Alike', '2026-12-08 16:30', '2026-12-22')
  await site.book(ana, first)
  await site.book(ben, first)
  await openTab(page, site, 'Classes')
  const edit = page.getByRole('button', { name: 'Edit Alike on 08/12/2026 at 16:30' })
  const dialog = page.getByRole('dialog', { name: 'Edit Class' })
  const save = dialog.getByRole('button', { name: /^Save/ })
  await edit.click()
  await expect(dialog.getByRole('link', { name: 'Ana Booked' })).toBeVisible()
  await expect(dialog.getByLabel('This class only')).toBeChecked()
  await dialog.getByLabel('Max participants').selectOption('1')
  await expect(dialog.getByText('2 places are booked: a class cannot have fewer.')).toBeVisible()
  await save.click()
  await expectFailure(page, 'Failed to update class')
  await expect(dialog.getByRole('alert')).toContainText('There are more bookings than this many places.')

  await dialog.getByLabel('Max participants').selectOption('2')
  await dialog.getByLabel('Title').fill('All alike')
  await dialog.getByLabel('All 3 classes on Tuesday at 16:30').check()
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await save.click()
  // Only what was changed: not the time, not the places, not whether each class is active.
  expect((await sent).postDataJSON()).toEqual({
    title: 'All alike',
    applyToRecurring: true,
    ifUpdatedAt: expect.any(String),
  })
  await expectToast(page, 'Class updated successfully')
  await expect(page.getByRole('listitem').filter({ hasText: 'All alike' })).toHaveCount(3)

  await page.getByRole('button', { name: 'Edit All alike on 08/12/2026 at 16:30' }).click()
  await dialog.getByLabel('End time').fill('17:30')
  await expect(dialog.getByText('2 people will be told of the new time: 2 bookings.')).toBeVisible()
  await dialog.getByLabel('All 3 classes on Tuesday at 16:30').check()
  await dialog.getByRole('button', { name: 'Save and tell 2 people' }).click()
  await expectToast(page, 'Class updated successfully')
  await site.mailTo(ana.email, /has moved to 17:30$/)

  await page.getByRole('button', { name: 'Edit All alike on 08/12/2026 at 16:30' }).click()
  await dialog.getByLabel(/^Active/).uncheck()
  // Somebody else is faster: the class was read, and this form not sent.
  await callApi(await site.admin(), 'PUT', `/api/classes/${first.id}`, { description: 'By somebody else' })
  await expect(
    dialog.getByText('2 bookings are cancelled and 2 credits returned. 2 members are emailed.'),
  ).toBeVisible()
  await save.click()
  await dialog.getByRole('button', { name: 'Load the fresh version' }).click()
  await expect(dialog.getByLabel(/^Description/)).toHaveValue('By somebody else')
  await expect(dialog.getByLabel(/^Active/)).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Save and cancel bookings' }).click()
  await expectToast(page, 'Class updated successfully')
  const row = page.getByRole('listitem').filter({ hasText: 'All alike' }).first()
  await expect(row).toContainText(/0\/2.*Inactive/)
  await page.getByRole('button', { name: 'Edit All alike on 08/12/2026 at 16:30' }).click()
  await dialog.getByLabel(/^Active/).check()
  await expect(dialog.getByText('Bookings and the waiting list do not come back')).toBeVisible()
  await site.mailTo(ben.email, /We are sorry.* is cancelled/)
})

test('deleting says what it does, takes one or all alike, and the week shows what is left', async ({ page, site }) => {
  const member = await site.member({ health: true, credits: 4 })
  const first = await createWeeklySeries(site, 'Doomed', '2026-12-09 17:30', '2026-12-16')
  await site.book(member, first)
  await openTab(page, site, 'Classes', '&view=week')
  await page.getByRole('button', { name: /^17:30.*Doomed/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete class?' })
  await expect(dialog).toContainText('Doomed, Wednesday 9 December 2026, 17:30 - 18:15.')
  await expect(dialog).toContainText('1 booking is cancelled and 1 credit returned. 1 member is emailed.')
  await dialog.getByLabel('All 2 classes on Wednesday at 17:30').check()
  await mockReply(page, '**/api/classes/*', 500, '', 'DELETE')
  await dialog.getByRole('button', { name: 'Delete 2 classes' }).click()
  await expectFailure(page, 'Failed to delete class')
  await page.unrouteAll()
  await dialog.getByRole('button', { name: 'Delete 2 classes' }).click()
  await expectToast(page, 'Class deleted successfully')
  await expect(page.getByRole('button', { name: /Doomed/ })).toHaveCount(0)
  const undoable = page
    .getByRole('list', { name: 'Can still be undone' })
    .getByRole('listitem')
    .filter({ hasText: '2 classes deleted. Nobody has been emailed yet: 60 seconds left.' })
  await expect(undoable).toHaveCount(1)
  await undoable.getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Undone. Nobody was emailed.')
  await expect(undoable).toHaveCount(0)
  await page.getByRole('button', { name: /^17:30.*Doomed/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('1 booking is cancelled and 1 credit returned.')
  await dialog.getByLabel('All 2 classes on Wednesday at 17:30').check()
  await dialog.getByRole('button', { name: 'Delete 2 classes' }).click()
  await expectToast(page, 'Class deleted successfully')
  await expect(page.getByRole('button', { name: /Doomed/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Next week' }).click()
  await expect(page.getByText('14/12/2026 to 20/12/2026')).toBeVisible()
  await expect(page.getByRole('button', { name: /Doomed/ })).toHaveCount(0)
  await page.getByRole('link', { name: 'List' }).click()
  await page.goto('/admin?tab=Classes&from=2032-05-01')
  await expect(page.getByText('No classes in May 2032')).toBeVisible()
})

test('several classes are ticked and moved or taken off together; a week is copied, a series goes on', async ({
  page,
  site,
}) => {
  const ana = await site.member({ firstName: 'Ana', lastName: 'Ticked', health: true, credits: 4 })
  const ben = await site.member({ firstName: 'Ben', lastName: 'Waits', health: true, credits: 4 })
  const early = await site.class({ at: '2027-02-02 07:15', title: 'Ticked early', places: 1 })
  await site.class({ at: '2027-02-03 07:15', title: 'Ticked late' })
  await createWeeklySeries(site, 'Goes on', '2027-02-04 07:15', '2027-02-11')
  await site.book(ana, early)
  await callApi(ben, 'POST', `/api/classes/${early.id}/waitlist`)
  await openTab(page, site, 'Classes', '&from=2027-02-01')
  const row = page.getByRole('listitem').filter({ hasText: 'Ticked early' })
  await expect(row.getByRole('link', { name: 'Ana Ticked' })).toBeVisible()
  await expect(row).toContainText(/1 waiting.*Waiting: Ben Waits/)

  await page.getByRole('checkbox', { name: 'Choose Ticked early on 02/02/2027 at 07:15' }).check()
  await page.getByRole('checkbox', { name: 'Choose Ticked late on 03/02/2027 at 07:15' }).check()
  const bar = page.getByRole('region', { name: 'Chosen classes' })
  await expect(bar).toContainText('2 classes chosen')
  await bar.getByRole('button', { name: 'Move' }).click()
  const move = page.getByRole('dialog', { name: 'Move 2 classes' })
  await expect(move).toContainText('2 people are told by email.')
  await move.getByRole('button', { name: 'Move' }).click()
  await expect(move.getByText('Please enter how far to move')).toBeVisible()
  await move.getByLabel('Days').fill('1')
  await move.getByLabel('Minutes').fill('30')
  await expect(move).toContainText('Ticked early: Tue 02/02/2027 07:15, then Wed 03/02/2027 07:45')
  await move.getByRole('button', { name: 'Move' }).click()
  await expect(move).toContainText('Overlaps with Goes on on Thursday 4 February, 07:15 to 08:00.')
  await move.getByRole('button', { name: 'Move anyway' }).dblclick()
  await expectToast(page, '2 classes moved')
  await site.mailTo(ana.email, /has moved/)

  await page.getByRole('checkbox', { name: 'Choose Ticked early on 03/02/2027 at 07:45' }).check()
  await bar.getByRole('button', { name: 'Take off' }).click()
  const off = page.getByRole('dialog', { name: 'Take 1 class off?' })
  await expect(off).toContainText('1 booking is cancelled, and every credit is returned. 2 people are told by email.')
  await off.getByRole('button', { name: 'Take off' }).click()
  await expectToast(page, '1 class is off the timetable')
  await expect(row).toContainText(/0\/1.*Inactive/)

  await page.getByRole('button', { name: 'Edit Goes on on 04/02/2027 at 07:15' }).click()
  await page.getByRole('button', { name: 'Extend series' }).click()
  const extend = page.getByRole('dialog', { name: 'Extend series' })
  await expect(extend).toContainText('Goes on at 07:15, weekly from Thursday 04/02/2027, ends on 11/02/2027.')
  await chooseDay(extend, 'Repeat until', '2027-02-26')
  await extend.getByRole('button', { name: 'Extend' }).click()
  await expectToast(page, '2 classes added, until 26/02/2027')

  await waitForDialogToClose(page)
  await page.goto('/admin?tab=Classes&view=week&from=2027-02-01')
  await page.getByRole('button', { name: 'Copy this week' }).click()
  const copy = page.getByRole('dialog', { name: 'Copy this week' })
  await copy.getByLabel('To').selectOption('15/02/2027 to 21/02/2027')
  await copy.getByRole('button', { name: 'Copy' }).click()
  await expect(copy).toContainText('Overlaps with Goes on on Thursday 18 February, 07:15 to 08:00.')
  await copy.getByRole('button', { name: 'Copy anyway' }).click()
  await expectToast(page, /\d+ classes copied; left out: 1 already there/)
})
