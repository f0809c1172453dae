import { expectTabLoaded, openAsOwner } from './admin.ts'
import { expectToast } from './member.ts'
import { callApi, expect, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test("messages tomorrow's members in five taps, and shows the number of readers and deliveries", async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Philomena', lastName: 'Garside', health: true, credits: 2 })
  for (const at of ['2026-12-08 06:45', '2026-12-08 20:15']) await site.book(member, await site.class({ at }))
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')

  await page.getByRole('link', { name: 'Message tomorrow’s people' }).click() // tap 1
  const form = page.getByRole('form', { name: 'Write a message' })
  await expect(form.getByRole('button', { name: /^First day/ })).toContainText('Tuesday 8 December 2026')
  const readers = page.getByRole('region', { name: 'Recipients' })
  await expect(readers.getByRole('status')).toContainText(/^\d+ people · Booked on Tuesday 8 December$/)
  await form.getByRole('button', { name: 'Preview' }).click() // a mistake
  await expect(form.getByText('Please enter a subject')).toBeVisible()
  await form.getByLabel('Subject').click() // tap 2
  await page.keyboard.type('The door code has changed')
  await form.getByLabel('Message').click() // tap 3
  await page.keyboard.press('Control+End')
  await page.keyboard.type('It is 4711 for {classTimes}.')
  await form.getByRole('button', { name: 'Preview' }).click() // a mistake
  await expect(form.getByText('There is no placeholder “classTimes”.')).toBeVisible()
  await form.getByLabel('Message').fill('Hello {firstName},\n\nit is 4711 for {classTime}.')
  await form.getByRole('button', { name: 'Preview' }).click() // tap 4
  const dialog = page.getByRole('dialog', { name: 'Preview' })
  await expect(dialog.getByRole('article', { name: 'Preview' })).toContainText('The door code has changed')
  await dialog.getByRole('button', { name: /^Send to \d+ people$/ }).dblclick() // tap 5
  await expectToast(page, /On its way to \d+ people/)
  await expect(dialog).toBeHidden()
  await expect(form.getByLabel('Subject')).toHaveValue('')

  const mail = await site.mailTo(member.email, /The door code/)
  expect(mail.text).toContain(
    'Hello Philomena,\n\nit is 4711 for Tuesday 8 December at 06:45 and Tuesday 8 December at 20:15.',
  )
  const sent = page.getByRole('region', { name: 'Sent' }).getByRole('listitem').first()
  await expect(sent).toContainText('The door code has changed')
  await expect(sent).toContainText(/(\d+) of \1 arrived(?!,)/)
  const { rows } = await site.pool.query('select count(*)::int as sent from studio_messages where subject = $1', [
    'The door code has changed',
  ])
  expect(rows).toEqual([{ sent: 1 }])
})

test('asks for the recipients at their field', async ({ page, site }) => {
  await openAsOwner(page, site, '/admin?view=messages')
  const form = page.getByRole('form', { name: 'Write a message' })
  const expectMissing = async (label: string, message: string) => {
    await form.getByRole('button', { name: 'Preview' }).click()
    await expect(form.getByLabel(label)).toBeFocused()
    await expect(form.getByLabel(label)).toHaveAccessibleDescription(message)
  }
  await expectMissing('To', 'Please choose recipients')
  await form.getByLabel('To').selectOption('Everyone in a class')
  await expect(page.getByText('Choose recipients to see who will receive it.')).toBeVisible()
  await expectMissing('Class', 'Please choose a class')
})

test('lists members whose credits expire in one tap, books for them, and messages members who agreed to news', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Clementine', lastName: 'Ogilvy', health: true })
  await site.grantCredits(member, 2, 1)
  await site.pool.query("update passes set expires_at = '2026-12-15T23:59:59Z' where user_id = $1", [member.id])
  const later = await site.class({ at: '2026-12-09 20:40', title: 'Late Stretch' })
  await openAsOwner(page, site)
  await expectTabLoaded(page, 'Overview')
  const lists = page.getByRole('region', { name: 'Worth a look' })
  await lists.getByText(/^Credits that run out within 14 days: \d+$/).click() // tap 1
  const row = lists.getByRole('listitem').filter({ hasText: 'Clementine Ogilvy' })
  await expect(row).toContainText('2 credits, until 15/12/2026')
  await row.getByRole('button', { name: 'Book a class for Clementine Ogilvy' }).click()
  const dialog = page.getByRole('dialog', { name: 'Book for Clementine' })
  await dialog.getByLabel('Class', { exact: true }).selectOption(String(later.id))
  await dialog.getByRole('button', { name: 'Book class' }).click()
  await expectToast(page, 'Booked for Clementine Ogilvy')
  await expect(row).toContainText('1 credit, until 15/12/2026')

  await lists.getByRole('link', { name: 'Message members who agreed to news' }).click()
  const readers = page.getByRole('region', { name: 'Recipients' })
  await expect(readers.getByRole('status')).toContainText('Credits that run out within 14 days')
  await readers.getByText(/not agreed to news and offers$/).click()
  await expect(readers.getByText('Clementine Ogilvy')).toBeVisible()
})

test('offers no message to a member without an email address', async ({ page, site }) => {
  const owner = await site.admin()
  const person = { firstName: 'Winifred', lastName: 'Featherstonehaugh', phone: '01423 960 113' }
  const { id: userId } = await callApi(owner, 'POST', '/api/admin/users', person)
  await callApi(owner, 'POST', `/api/admin/users/${userId}/gift-credits`, { packageId: 1, creditsToGift: 1, userId })
  const { id: classId } = await site.class({ at: '2026-12-10 20:40' })
  await callApi(owner, 'POST', '/api/bookings', { userId, classId, override: true })
  await openAsOwner(page, site)
  const lists = page.getByRole('region', { name: 'Worth a look' })
  await expect(lists.getByText(/: \d+$/).first()).toBeVisible()
  await expect(lists.getByText(/: 0$/)).toHaveCount(0)
  await lists.getByText(/^Health information missing before a class: \d+$/).click()
  const row = lists.getByRole('listitem').filter({ hasText: 'Winifred Featherstonehaugh' })
  await expect(row).toContainText('No email address')
  await expect(row.getByRole('link', { name: /^Message/ })).toBeHidden()
})
