import type { Page } from '@playwright/test'
import { expectTabLoaded, openAsOwner } from './admin.ts'
import { expectToast, openMore } from './member.ts'
import { callApi, expect, test } from './site.ts'
import { holdRequests } from './traffic.ts'

test.use({ viewport: { width: 390, height: 844 } })

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

test('moves a member in five taps in the last hour before the class', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Prudence', lastName: 'Ackroyd', health: true, credits: 2 })
  const [from, to] = [
    await site.class({ at: '2026-12-07 08:40', title: 'Early bird' }),
    await site.class({ at: '2026-12-09 19:15', title: 'Late owl' }),
  ]
  await site.book(member, from)
  const full = await site.class({ at: '2026-12-09 18:15', title: 'Full house', places: 1 })
  await site.book(await site.member({ health: true, credits: 1 }), full)
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  await openMore(page, 'Prudence Ackroyd') // tap 1
  await page.getByRole('button', { name: 'Move Prudence Ackroyd' }).click() // tap 2
  const move = dialog(page, 'Move Prudence Ackroyd')
  await move.getByRole('button', { name: 'Move' }).click() // a mistake
  await expect(move.getByText('Please choose a class')).toBeVisible()
  await move.getByLabel('To').selectOption({ label: `Wed 09/12/2026 19:15, Late owl (2 free)` }) // taps 3 and 4
  await expect(move.getByLabel('To')).not.toContainText('Full house')
  await move.getByRole('button', { name: 'Move' }).dblclick() // tap 5
  await expectToast(page, 'Prudence Ackroyd has been moved')
  expect((await site.mailTo(member.email, /has moved/)).text).toContain('Late owl')
  const { rows } = await site.pool.query(`select class_id, status from bookings where user_id = $1 order by id`, [
    member.id,
  ])
  expect(rows).toEqual([
    { class_id: from.id, status: 'cancelled' },
    { class_id: to.id, status: 'confirmed' },
  ])
})

test('books a walk-in in five taps, and flags missing health information', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Tabitha', lastName: 'Sowerby', credits: 2 })
  const started = await site.class({ at: '2026-12-07 07:50', title: 'Already started' })
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  await page.getByRole('button', { name: 'Add someone to Already started at 07:50' }).click() // tap 1
  await page.getByRole('combobox', { name: 'Name, email or phone' }).fill('Sowerby')
  await page.getByRole('option', { name: /Tabitha Sowerby.*2 credits left.*No health form/ }).click() // tap 2
  const book = dialog(page, 'Book for Tabitha')
  await expect(book.getByLabel('Class', { exact: true })).toHaveValue(String(started.id))
  await book.getByRole('button', { name: 'Book class' }).click() // a mistake
  await expect(book.getByText('Please tick this to continue')).toBeVisible()
  await book.getByLabel('The class has started, and they are here').check() // tap 3
  await book.getByRole('button', { name: 'Book class' }).click() // tap 4
  await expectToast(page, 'Booked for Tabitha Sowerby')
  const today = page.getByRole('region', { name: 'Today' })
  const person = today.getByRole('listitem').filter({ hasText: 'Tabitha Sowerby' }).last()
  await expect(person).toContainText('No health information')

  const later = await site.class({ at: '2026-12-07 19:50', title: 'Tonight' })
  await page.reload()
  await expectTabLoaded(page, 'Overview')
  const classes = await holdRequests(page, '**/api/classes?*')
  await page.getByRole('button', { name: 'Add someone to Tonight at 19:50' }).click()
  await page.getByRole('combobox', { name: 'Name, email or phone' }).fill('Sowerby')
  await page.getByRole('option', { name: /Tabitha Sowerby/ }).click()
  const again = dialog(page, 'Book for Tabitha')
  const choice = again.getByLabel('Class', { exact: true })
  await expect(choice.getByRole('option', { name: 'Loading classes…' })).toBeAttached()
  await choice.focus()
  await again.getByLabel('Book anyway').focus()
  await classes.release()
  await expect(choice, 'keeps the class when the list arrives late').toHaveValue(String(later.id))
  await again.getByRole('button', { name: 'Book class' }).click()
  await expect(again.getByText('Please tick this to continue')).toBeVisible()
  await again.getByLabel('Book anyway').check()
  await again.getByRole('button', { name: 'Book class' }).click()
  await expectToast(page, 'Booked for Tabitha Sowerby')
  const { rows } = await site.pool.query(`select class_id from bookings where user_id = $1 order by id`, [member.id])
  expect(rows).toEqual([{ class_id: started.id }, { class_id: later.id }])
})

test("corrects yesterday's attendance on Overview", async ({ page, site }) => {
  const member = await site.member({ firstName: 'Yolanda', lastName: 'Absent', health: true, credits: 2 })
  await site.book(member, await site.class({ at: '2026-12-07 20:10', title: 'Last of the day' }))
  await site.travelTo('2026-12-08 09:00', page)
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  await page.getByText('Who came yesterday').click() // tap 1
  const person = page
    .getByRole('region', { name: 'Yesterday' })
    .getByRole('listitem')
    .filter({ hasText: 'Yolanda Absent' })
  await person.last().getByRole('button', { name: 'No show' }).click() // tap 2
  await expectToast(page, 'Yolanda Absent marked as a no-show')
})

test('shows why a credit was lost in two taps', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Dorcas', lastName: 'Disputes', health: true, credits: 2 })
  const id = await site.book(member, await site.class({ at: '2026-12-07 08:50', title: 'Too late for that' }))
  await callApi(member, 'PUT', `/api/bookings/${id}/cancel`)
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Users' }).click() // tap 1
  await page.getByLabel('Search members').fill('Disputes')
  await page.getByRole('link', { name: 'Dorcas Disputes' }).click() // tap 2
  const ledger = page.getByRole('region', { name: 'Credit ledger' })
  await expect(ledger).toContainText('Too late for that')
  await expect(ledger).toContainText('Cancelled in the last 120 minutes before the start')
})
