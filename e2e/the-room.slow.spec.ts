import { openAsOwner } from './admin.ts'
import { expectToast, waitForDialogToClose } from './member.ts'
import { createBookedMember, createStartedClass, day, sessionRow } from './overview.ts'
import { callApi, expect, type Site, signIn, test } from './site.ts'
import { changeResponse } from './traffic.ts'

const PHONE = { width: 390, height: 844 }
test.use({ viewport: PHONE })

async function createTeacher(site: Site) {
  const teacher = await site.member({ firstName: 'Tabitha', lastName: 'Locke' })
  await callApi(await site.admin(), 'PUT', `/api/admin/users/${teacher.id}`, { role: 'teacher' })
  return teacher
}

test('the owner reads who is next, writes a note in three taps, and sees it the next time', async ({ page, site }) => {
  const { member } = await createBookedMember(site, '2026-12-15 08:10', 'Philippa')
  const again = await site.class({ at: '2026-12-16 08:10' })
  await site.book(member, again)
  await site.travelTo('2026-12-15 08:00', page)
  await openAsOwner(page, site)
  const next = day(page, 'Today').getByRole('listitem').first()
  await expect(next).toContainText('Next, 08:10')
  const tomorrow = sessionRow(page, 'Tomorrow', again.title)
  await expect(tomorrow).toContainText('Before this, 15 December: still to come')
  const name = next.getByRole('link', { name: 'Philippa Pickersgill' })
  const { y = 999, height = 0 } = (await name.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(PHONE.height)

  await next.getByRole('button', { name: 'Note on Philippa Pickersgill’s session' }).click()
  const dialog = page.getByRole('dialog', { name: 'Note on Philippa Pickersgill’s session' })
  await dialog.getByLabel('Note').fill('Two red springs, right hip')
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await expectToast(page, 'Success', 'Note saved')
  await waitForDialogToClose(page)
  await expect(next).toContainText('Note: Two red springs, right hip')
  await expect(tomorrow).toContainText('Before this, 15 December: Two red springs, right hip')
  await next.getByRole('button', { name: 'Health information of Philippa Pickersgill' }).click()
  const health = page.getByRole('dialog', { name: 'Health information of Philippa Pickersgill' })
  await health.getByRole('button', { name: /^Edit the note on .+ 15 December 2026, 08:10$/ }).click()
  await expect(dialog.getByLabel('Note')).toHaveValue('Two red springs, right hip')
  await dialog.getByLabel('Note').fill('Two red springs, left hip')
  await dialog.getByRole('button', { name: 'Save note' }).click()
  await expectToast(page, 'Success', 'Note saved')
  await expect(health).toContainText('Two red springs, left hip')

  await site.travelTo('2026-12-15 09:00', page)
  await openAsOwner(page, site)
  await expect(tomorrow).toContainText('Last time, 15 December: Two red springs, left hip')
})

test('while a class is running, the next person is above the fold on a phone', async ({ page, site }) => {
  await createStartedClass(site)
  await createBookedMember(site, '2026-12-07 08:05', 'Octavia')
  await openAsOwner(page, site)
  const next = day(page, 'Today').getByText('Next, 08:05: Octavia')
  const { y = 999, height = 0 } = (await next.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(PHONE.height)
})

test('in the evening tomorrow comes first, unless it is empty, and the finished classes are folded', async ({
  page,
  site,
}) => {
  const { studioClass } = await createBookedMember(site, '2026-12-20 08:00')
  await site.travelTo('2026-12-20 21:30', page)
  await openAsOwner(page, site)
  await expect(page.getByRole('region', { name: /^(Today|Tomorrow)$/ }).first()).toHaveAccessibleName('Tomorrow')
  await expect(day(page, 'Today').getByText(studioClass.title)).toHaveCount(0)
  await day(page, 'Today')
    .getByText(/^\d+ finished class(es)?$/)
    .click()
  await expect(sessionRow(page, 'Today', studioClass.title)).toContainText('Rosamund Pickersgill')

  await changeResponse<{ class: { date: string } }[]>(page, '**/api/admin/sessions?*', (sessions) =>
    sessions.filter((session) => session.class.date === '2026-12-20'),
  )
  await page.reload()
  await expect(day(page, 'Tomorrow')).toContainText('No sessions.')
  await expect(page.getByRole('region', { name: /^(Today|Tomorrow)$/ }).first()).toHaveAccessibleName('Today')
})

test('the roster prints one day on one page, with phones and flags, without money or navigation', async ({
  page,
  site,
}) => {
  const { member, studioClass } = await createBookedMember(site, '2026-12-08 08:10', 'Philippa')
  await callApi(await site.admin(), 'PUT', `/api/admin/users/${member.id}`, { phone: '01632 960123' })
  await openAsOwner(page, site)
  await page.evaluate(() => {
    window.print = () => {}
  })
  await page.getByRole('button', { name: 'Print tomorrow’s list' }).click()
  await page.emulateMedia({ media: 'print' })
  const roster = page.getByRole('region', { name: 'Roster' })
  await expect(roster.getByRole('heading', { name: 'Tuesday 8 December 2026' })).toBeVisible()
  const row = roster.getByRole('row').filter({ hasText: studioClass.title })
  for (const text of ['08:10', 'Philippa Pickersgill', '01632 960123', '★ Back problems, Injuries, Postnatal']) {
    await expect(row).toContainText(text)
  }
  const printed = await page.evaluate(() => document.body.innerText)
  expect(printed).not.toMatch(/£|Revenue|Quick Actions|Overview|Cancel|Recent Bookings/)
  // The browser's own print command prints the first day.
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await expect(roster).toHaveCount(0)
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1)
})

test('a teacher sees today’s people and tomorrow’s names, marks attendance and writes a note', async ({
  page,
  site,
}) => {
  const started = await createStartedClass(site)
  const { studioClass: tomorrow } = await createBookedMember(site, '2026-12-08 09:30', 'Winifred')
  await signIn(page, await createTeacher(site))
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Today Today’s people and tomorrow’s list' }).click()
  const row = sessionRow(page, 'Today', started.studioClass.title)
  for (const text of ['Now, 08:00', 'Rosamund Pickersgill', 'Back problems']) await expect(row).toContainText(text)
  await row.getByRole('button', { name: 'Came' }).click()
  await expectToast(page, 'Success', 'Rosamund Pickersgill marked as attended')
  await row.getByRole('button', { name: /^Note on Rosamund/ }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('Tired today')
  await page.getByRole('button', { name: 'Save note' }).click()
  await expect(row).toContainText('Note: Tired today')
  await row.getByRole('button', { name: 'Health and emergency contact of Rosamund Pickersgill' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Emergency contact', exact: true })).toBeVisible()
  await expect(dialog).toContainText('Tired today')
  await page.keyboard.press('Escape')

  const other = sessionRow(page, 'Tomorrow', tomorrow.title)
  await expect(other).toContainText('Winifred Pickersgill')
  await expect(other.getByRole('button')).toHaveCount(0)
  await expect(page.locator('#content')).not.toContainText(/£|Revenue|Settings/)

  await page.goto('/admin')
  await expectToast(page, 'Access Denied', 'Admin access required')
})
