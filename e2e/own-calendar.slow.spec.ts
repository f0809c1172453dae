import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expectToast } from './member.ts'
import { expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

const event = (uid: number, day: string, from: string, to: string) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nSUMMARY:Dentist\r\nDTSTART;TZID=Europe/London:${day}T${from}00\r\nDTEND;TZID=Europe/London:${day}T${to}00\r\nEND:VEVENT`
const CALENDAR = [
  'BEGIN:VCALENDAR\r\nVERSION:2.0',
  event(1, '20261209', '1900', '2000'),
  event(2, '20270108', '1000', '1030'),
  'BEGIN:VEVENT\r\nUID:3\r\nSUMMARY:Dentist\r\nEND:VEVENT',
  event(4, '20270111', '1000', '0930'),
  'END:VCALENDAR\r\n',
].join('\r\n')

test('connects her own calendar, sees what clashes, leaves it out of a term and disconnects it', async ({
  page,
  site,
}) => {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/calendar').end(CALENDAR))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await site.class({ at: '2026-12-09 19:05', title: 'Evening Stretch' })
    await signIn(page, await site.admin())
    await page.goto('/admin?view=settings#own-calendar')
    const section = page.getByRole('region', { name: 'Your own calendar' })
    const address = section.getByLabel('Private address of your calendar')
    await address.fill(`http://${host}/private.ics`)
    await section.getByRole('button', { name: 'Connect' }).click() // a mistake
    await expect(section.getByText('The address must begin with https:// or webcal://')).toBeVisible()
    await address.fill(`webcal://${host}/private.ics`)
    await section.getByRole('button', { name: 'Connect' }).click()
    await expectToast(page, 'Your calendar is connected')
    await expect(section.getByRole('status')).toContainText(`Connected: ${host}`)
    await expect(section.getByRole('status')).toContainText('Last read on 07/12/2026')
    await expect(section.getByRole('status')).toContainText('2 events could not be read')
    await expect(section.getByRole('listitem')).toHaveText([
      'An event has no start.',
      'An event on 11/01/2027 ends before it starts.',
    ])
    await expect(page.getByText('private.ics')).toHaveCount(0)

    await page.goto('/admin?tab=Classes&from=2026-12-09')
    const showAll = page.getByRole('button', { name: /^Show all \d+ classes$/ })
    await showAll.click()
    await expect(page.getByText('Evening Stretch')).toBeVisible()
    await expect(page.getByText('You have something in your own calendar 19:00 to 20:00').first()).toBeVisible()
    await expect(page.getByText('Dentist')).toHaveCount(0)

    await page.getByRole('button', { name: 'Fill the calendar' }).click()
    const plan = page.getByRole('dialog', { name: 'Fill the calendar' })
    await expect(plan.getByLabel(/^Friday 8 January 2027, 10:00 \(you are busy/)).toBeChecked()
    await page.goto('/admin?view=settings#own-calendar')
    await section.getByRole('button', { name: 'Remove' }).click()
    await expectToast(page, 'Your calendar is no longer connected')
    await expect(address).toBeVisible()
    await page.goto('/admin?tab=Classes&from=2026-12-09')
    await showAll.click()
    await expect(page.getByText('Evening Stretch')).toBeVisible()
    await expect(page.getByText('in your own calendar')).toHaveCount(0)
  } finally {
    server.close()
  }
})
