import { openAsOwner, openTab } from './admin.ts'
import { expectToast } from './member.ts'
import { sessionRow } from './overview.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('an offered place is shown to the member and the owner, declined, and booked by the next on the list', async ({
  page,
  site,
}) => {
  const holder = await site.member({ health: true, credits: 1 })
  const first = await site.member({ firstName: 'Persephone', lastName: 'Featherstonehaugh', health: true, credits: 1 })
  const second = await site.member({ firstName: 'Wilfred', health: true, credits: 1 })
  const full = await site.class({ at: '2026-12-07 19:15', places: 1 })
  const booking = await site.book(holder, full)
  for (const member of [first, second]) await callApi(member, 'POST', `/api/classes/${full.id}/waitlist`)
  await callApi(holder, 'PUT', `/api/bookings/${booking}/cancel`)
  await site.endUndo()
  await site.mailTo(first.email, /^Yours until 08:20/)

  await openAsOwner(page, site)
  await expect(sessionRow(page, 'Today', full.title)).toContainText(
    'Offered to Persephone Featherstonehaugh until 08:20',
  )
  await openTab(page, site, 'Classes', '&from=2026-12-07')
  await expect(page.getByRole('listitem').filter({ hasText: full.title }).first()).toContainText('offered until 08:20')

  await signIn(page, first)
  await page.goto('/dashboard')
  const waiting = page.getByRole('region', { name: 'On the waiting list' }).getByRole('listitem')
  const offered = page.getByRole('region', { name: 'A place for you' }).getByRole('listitem')
  await expect(offered).toContainText('Yours until 08:20')
  await offered.getByRole('button', { name: /^Decline/ }).click()
  await expectToast(page, 'Place Declined', `You keep your place on the waiting list for ${full.title}.`)
  await expect(offered).toHaveCount(0)
  await expect(waiting).toContainText('No. 1 on the list')

  await site.mailTo(second.email, /^Yours until 08:20/)
  await signIn(page, second)
  await page.goto('/dashboard')
  // Four taps: Book now, both ticks, Confirm.
  await offered.getByRole('link', { name: /^Book now/ }).click()
  const dialog = page.getByRole('dialog', { name: full.title })
  await dialog.getByLabel(/^I understand the cancellation policy/).check()
  await dialog.getByLabel(/^I agree to the/).check()
  await dialog.getByRole('button', { name: 'Confirm Booking' }).click()
  await expectToast(page, 'Booking Confirmed')
})
