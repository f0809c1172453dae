import type { Page } from '@playwright/test'
import { chooseDay, openAsOwner } from './admin.ts'
import { expect, test } from './site.ts'
import { mockResponse } from './traffic.ts'

const figure = (page: Page, name: string) => page.locator('dl > div').filter({ hasText: name }).locator('dd').first()

test.describe('Analytics', () => {
  const all = {
    registeredStudents: 40,
    monthlyRevenue: '1290.00',
    totalRevenue: '8858.50',
    activePackages: 4,
    totalBookings: 120,
    confirmedBookings: 31,
    completedBookings: 77,
    totalPackages: 6,
  }

  test('shows the specified figures, and 0.00 revenue per student without students', async ({ page, site }) => {
    await mockResponse(page, '**/api/admin/analytics', 200, all)
    await openAsOwner(page, site, '/admin?tab=Analytics')
    const expected = {
      'Registered Students': '40',
      'Monthly Revenue': '£1,290.00',
      'Total Revenue': '£8,858.50',
      'Active Packages': '4',
      'Total Bookings': '120',
      'Confirmed Bookings': '31',
      'Completed Classes': '77',
      'Total Packages': '6',
      'Revenue per Student': '£221.46',
    }
    for (const [name, text] of Object.entries(expected)) await expect(figure(page, name)).toHaveText(text)
    for (const name of ['Booking Analytics', 'Package Sales']) {
      await expect(page.getByRole('heading', { name })).toBeVisible()
    }
    await mockResponse(page, '**/api/admin/analytics', 200, { ...all, registeredStudents: 0, totalRevenue: '0.00' })
    await page.reload()
    await expect(figure(page, 'Revenue per Student')).toHaveText('£0.00')
  })

  test('shows charts with tables for a chosen period, and exports a CSV file', async ({ page, site }) => {
    const figures = {
      revenue: [
        { month: '2026-11', revenue: '0.00', purchases: 0 },
        { month: '2026-12', revenue: '424.00', purchases: 1 },
      ],
      byMethod: [
        { method: 'online', revenue: '300.00', purchases: 1 },
        { method: 'cash', revenue: '124.00', purchases: 2 },
      ],
      busy: [
        { weekday: 1, hour: 9, bookings: 5 },
        { weekday: 5, hour: 11, bookings: 2 },
      ],
      fill: { places: 20, taken: 7 },
      byTeacher: [
        { teacher: 'Eleanor Marsh', classes: 9, takenOver: 0, places: 18, booked: 12, came: 11, noShow: 1 },
        { teacher: 'Jo Hart', classes: 3, takenOver: 2, places: 6, booked: 4, came: 4, noShow: 0 },
      ],
      outstanding: { credits: 31, value: '1643.00' },
      paused: 2,
      breakage: { credits: 2, value: '86.00' },
      vouchers: [
        { figure: 'sold', count: 3, amount: '1272.00' },
        { figure: 'outstanding', count: 2, amount: '848.00' },
      ],
    }
    await mockResponse(page, '**/api/admin/report?*', 200, figures)
    await openAsOwner(page, site, '/admin?tab=Analytics')
    await expect(figure(page, 'Fill rate')).toContainText('35%')
    await expect(figure(page, 'Credits outstanding')).toContainText('31')
    await expect(figure(page, 'Expired unused')).toContainText('£86.00')
    await expect(page.locator('th > .bg-sage').first()).toBeVisible()
    const months = page.getByRole('table', { name: 'Revenue by month' })
    await expect(months).toContainText('December 2026£424.001')
    await expect(months).not.toContainText('November 2026')
    await expect(page.getByRole('table', { name: 'Revenue by payment method' })).toContainText('Cash£124.002')
    await expect(page.getByRole('table', { name: 'Bookings by weekday' })).toContainText('Friday2')
    await expect(page.getByRole('table', { name: 'Bookings by hour' })).toContainText('11:0000002002')
    await expect(page.getByRole('table', { name: 'Gift vouchers' })).toContainText('Outstanding at the end2£848.00')
    const request = page.waitForRequest('**/api/admin/report?from=2026-12-01&to=2026-12-07')
    await chooseDay(page, 'From', '2026-12-01')
    await request
    await expect(page.getByRole('link', { name: 'CSV', exact: true })).toHaveAttribute(
      'href',
      '/api/admin/report.csv?from=2026-12-01&to=2026-12-07',
    )
  })

  test('shows error and empty states', async ({ page, site }) => {
    await mockResponse(page, '**/api/admin/analytics', 500, {})
    await openAsOwner(page, site, '/admin?tab=Analytics&from=2020-01-01&to=2020-01-31')
    await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
    await expect(page.getByText('Nothing in this period.')).toHaveCount(4)
    await expect(figure(page, 'Fill rate')).toContainText('None yet')
  })
})
