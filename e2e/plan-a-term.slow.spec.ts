import { chooseDay } from './admin.ts'
import { expectToast, openMore, waitForDialogToClose } from './member.ts'
import { expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

// Needs its own site, because the timetable is on a public page.

test.use({ viewport: { width: 390, height: 844 } })

test('a new timetable is shown to visitors and becomes the classes of a term in two taps', async ({ page }) => {
  const site = await Site.open(MONDAY_MORNING, { refreshMs: 1000 })
  try {
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin?tab=Classes`)

    await openMore(page, 'Classes')
    await page.getByRole('button', { name: 'Timetable' }).click()
    const timetable = page.getByRole('dialog', { name: 'Timetable' })
    await expect(timetable.getByLabel('Friday, class 4: start')).toHaveValue('10:00')
    await timetable.getByRole('button', { name: 'New timetable' }).click()
    await chooseDay(timetable, 'First day', '2027-01-04')
    await timetable.getByLabel('Friday, class 2: start').fill('0815')
    await timetable.getByLabel('Friday, class 3: start').fill('8.30')
    await timetable.getByRole('button', { name: 'Remove Tuesday, class 2' }).click()
    await timetable.getByRole('button', { name: 'Add a class on Thursday' }).click()
    await expect(timetable.getByLabel('Thursday, class 1: start')).toBeFocused()
    await page.keyboard.type('1830')
    await timetable.getByLabel('Thursday, class 1: type').selectOption('One-on-one')
    await timetable.getByRole('button', { name: 'Save' }).click()
    const note = timetable.getByRole('alert')
    await expect(note).toContainText('Friday 08:15 and 08:30 take place at the same time. Save anyway?')
    await timetable.getByRole('button', { name: 'Remove Friday, class 3' }).click()
    await timetable.getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Saved. Every page will show it within a minute')
    await waitForDialogToClose(page)

    await page.getByRole('button', { name: 'Fill the calendar' }).click() // tap 1
    const plan = page.getByRole('dialog', { name: 'Fill the calendar' })
    await expect(plan.getByRole('button', { name: /^First day/ })).toContainText('Monday 4 January 2027')
    await expect(plan.getByRole('button', { name: /^Last day/ })).toContainText('Sunday 28 March 2027')
    await expect(plan.getByLabel('Good Friday, Friday 26 March 2027')).toBeChecked()
    await expect(plan.getByRole('listitem').filter({ hasText: 'Friday 08:15' })).toContainText(
      'Duo · 11 classes, 08/01/2027 to 19/03/2027, £65, left out: 1 on bank holidays',
    )
    // The demo's classes at 08:00 go on until February.
    await expect(plan.getByRole('alert')).toContainText('on Friday 8 January, 08:00 to 08:45')
    await plan.getByRole('button', { name: 'Create 77 classes anyway' }).click() // tap 2
    await expectToast(page, '77 classes created')
    await expect(page.getByRole('heading', { name: 'January 2027' })).toBeVisible()
    await page.getByRole('button', { name: /^Show all \d+ classes$/ }).click()
    await expect(page.getByRole('region', { name: 'Thursday 07/01/2027' })).toContainText('18:30 - 19:15')

    const isAnnounced = async () => {
      const html = await (await fetch(`${site.origin}/harrogate-reformer-pilates-classes`)).text()
      return html.includes('a new timetable')
    }
    await expect.poll(isAnnounced, { timeout: 60_000 }).toBe(true)
    await page.goto(`${site.origin}/harrogate-reformer-pilates-classes`)
    const inForce = page.getByRole('table', { name: 'Weekly timetable', exact: true })
    await expect(inForce).toContainText('08:00')
    await page.getByText('From Monday 4 January:').click()
    const next = page.getByRole('table', { name: 'Weekly timetable from Monday 4 January' })
    await expect(next.getByRole('row', { name: 'Thursday 18:30 One-on-one' })).toBeVisible()
    await expect(next).toContainText('08:15')
  } finally {
    await site.close()
  }
})

test('after several classes moved, offers a new timetable from that day', async ({ page }) => {
  const site = await Site.open(MONDAY_MORNING)
  try {
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin?tab=Classes&view=week&from=2026-12-14`)
    await page.getByRole('button', { name: /^08:00/ }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Class' })
    await edit.getByLabel('Start time').fill('0815')
    await edit.getByLabel(/^This and \d+ later$/).check()
    await edit.getByRole('button', { name: /^Save/ }).click()
    const offer = page.getByRole('dialog', { name: 'Change the timetable on the website too?' })
    await expect(offer).toContainText(
      'The website shows Friday 08:00 (duo). From Friday 18 December 2026 it would show Friday 08:15 (duo).',
    )
    await offer.getByRole('button', { name: 'Change the timetable' }).click()
    await expectToast(page, 'Saved. Every page will show it within a minute')
    const { nextTimetable } = await (await fetch(`${site.origin}/api/studio`)).json()
    expect(nextTimetable.from).toBe('2026-12-18')
    expect(nextTimetable.slots.map(({ startTime }: { startTime: string }) => startTime)).toContain('08:15')
  } finally {
    await site.close()
  }
})
