import { chooseDay } from './admin.ts'
import { expectToast, openMore, waitForDialogToClose } from './member.ts'
import { callApi, expect, MONDAY_MORNING, Site, signIn, test } from './site.ts'

// Needs its own site, because closed days affect all tests.

test.use({ viewport: { width: 390, height: 844 } })

test('closes today in six taps, emails each member once, shows the closure on public pages, and reopens', async ({
  page,
}) => {
  const site = await Site.open(MONDAY_MORNING, { refreshMs: 1000 })
  try {
    const member = await site.member({ firstName: 'Harriet', lastName: 'Lazenby', health: true, credits: 3 })
    const [early, late] = [
      await site.class({ at: '2026-12-07 09:45', title: 'Early' }),
      await site.class({ at: '2026-12-07 18:45', title: 'Late' }),
    ]
    for (const one of [early, late]) await site.book(member, one)
    await signIn(page, await site.admin())
    await page.goto(`${site.origin}/admin`)

    await page.getByRole('link', { name: 'Close Days' }).click() // tap 1
    const dialog = page.getByRole('dialog', { name: 'Close Days' })
    await expect(dialog.getByRole('button', { name: 'Close these days' })).toBeDisabled()
    await expect(dialog.getByText('First choose the days.')).toBeVisible()
    await chooseDay(dialog, 'First day', '2026-12-07')
    await expect(dialog.getByText('Harriet Lazenby').first()).toBeVisible()
    const close = dialog.getByRole('button', { name: /^Close 1 day, cancel \d+ class(es)?, email \d+ pe/ })
    await close.click() // a mistake, not one of the six
    await expect(dialog.getByText('Please enter the reason')).toBeVisible()
    await dialog.getByLabel('Reason').click() // tap 2
    await page.keyboard.type('Eleanor has a cold.')
    await dialog.getByRole('checkbox', { name: /18:45: Late/ }).uncheck() // tap 3
    await expect(dialog.getByRole('status').filter({ hasText: 'cancelled' })).toContainText(
      '2 bookings will be cancelled and 2 credits returned. We’ll email 2 people.',
    )
    await close.dblclick() // tap 4
    await expectToast(page, /The studio is closed\. \d+ class(es)? cancelled\. We’ll notify 2 people in a minute\./)
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/^Studio closed, \d+ class(es)? cancelled\./)).toContainText(
      'No emails have been sent yet',
    )
    const { rows } = await site.pool.query('select count(*)::int as closures from closures')
    expect(rows).toEqual([{ closures: 1 }])

    for (const path of ['/contact_harrogate_reformer_pilates', '/harrogate-reformer-pilates-classes']) {
      const html = async () => (await fetch(site.origin + path)).text()
      await expect.poll(html, { timeout: 60_000 }).toContain('Eleanor has a cold.')
      await page.goto(site.origin + path)
      const closed = page.getByRole('region', { name: 'Closed days' })
      await expect(closed).toContainText(/Monday 7 December.*Eleanor has a cold\./s)
    }
    await page.goto(`${site.origin}/admin?tab=Classes`)
    await page.getByRole('button', { name: 'Create Class' }).click()
    const form = page.getByRole('dialog', { name: 'Create Class' })
    await form.getByRole('button', { name: /^Date/ }).click()
    await form.getByRole('button', { name: / 7 December 2026/ }).click()
    await expect(form.getByText('The studio is closed on this day: Eleanor has a cold.')).toBeVisible()
    await page.keyboard.press('Escape')
    await waitForDialogToClose(page)
    await openMore(page, 'Classes')
    await page.getByRole('button', { name: 'Close Days' }).click()
    await chooseDay(dialog, 'First day', '2026-12-07')
    await expect(dialog.getByText('Already closed: Monday 7 December (Eleanor has a cold.)')).toBeVisible()
    await page.keyboard.press('Escape')
    await waitForDialogToClose(page)

    await page.getByRole('button', { name: 'Open again' }).click()
    const again = page.getByRole('dialog', { name: 'Open these days again?' })
    await again.getByRole('button', { name: 'Open again' }).click()
    await expectToast(page, /The days are open again\. .* back, without bookings\./)
    await expect(page.getByRole('region', { name: 'Closed days' })).toBeHidden()
  } finally {
    await site.close()
  }
})

test('warns before moving or copying a class to a closed day', async ({ page }) => {
  const site = await Site.open(MONDAY_MORNING)
  try {
    const owner = await site.admin()
    await callApi(owner, 'POST', '/api/admin/closures', { from: '2027-05-11', to: '2027-05-11', reason: 'A rest' })
    await site.class({ at: '2027-05-04 10:00', title: 'Moved' })
    await signIn(page, owner)
    await page.goto(`${site.origin}/admin?tab=Classes&view=week&from=2027-05-03`)
    await openMore(page, 'Classes')
    await page.getByRole('button', { name: 'Copy this week' }).click()
    const copy = page.getByRole('dialog', { name: 'Copy this week' })
    await expect(copy.getByLabel('To', { exact: true })).toHaveValue('2027-05-10')
    await expect(copy.getByLabel('Copy classes onto closed days too')).not.toBeChecked()
    await expect(copy).toContainText('The studio is closed on Tuesday 11 May: A rest')
    await page.keyboard.press('Escape')
    await waitForDialogToClose(page)

    await page.getByRole('button', { name: /^10:00.*Moved/ }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Class' })
    await chooseDay(edit, 'Date', '2027-05-11')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(edit.getByText('The studio is closed on Tuesday 11 May: A rest.')).toBeVisible()
    await edit.getByRole('button', { name: 'Save anyway' }).click()
    await expectToast(page, 'Class updated successfully')
  } finally {
    await site.close()
  }
})
