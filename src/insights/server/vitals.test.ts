import { expect, test } from 'vitest'
import { openStudio } from '#testing/studio-under-test.ts'
import { listVitals, reportVitals } from '../contract-vitals.ts'

test('keeps what browsers report about pages of the site, and shows the 75th percentile for 28 days', async () => {
  const { studio, dora } = await openStudio()
  const report = (page: string, metrics: object[]) => studio.visitor().request('POST', '/api/vitals', { page, metrics })
  for (const [i, value] of [1000, 2000, 3000, 4000].entries()) {
    expect(
      (await report('/booking', [{ name: 'LCP', value }, ...(i === 0 ? [{ name: 'CLS', value: 0.02 }] : [])])).status,
    ).toBe(200)
  }
  await report('/booking', [{ name: 'INP', value: 80 }])
  await report('/dashboard', [{ name: 'LCP', value: 900 }])
  await report('/not-a-page', [{ name: 'LCP', value: 1 }])
  expect((await report('/dashboard', [{ name: 'Ana', value: 1 }])).status).toBe(400)
  expect(await dora.read(listVitals)).toEqual([
    { page: '/booking', visits: 4, LCP: 3250, INP: 80, CLS: expect.closeTo(0.02) },
    { page: '/dashboard', visits: 1, LCP: 900, INP: null, CLS: null },
  ])
  studio.travelTo('2027-01-04 09:01')
  await studio.logIn(dora)
  expect(await dora.read(listVitals)).toEqual([])
})

test('ignores what a network reports above the limit', async () => {
  const { studio } = await openStudio()
  for (let i = 0; i < 122; i++) {
    await studio.visitor().call(reportVitals, { body: { page: '/booking', metrics: [{ name: 'LCP', value: 900 }] } })
  }
  expect(await studio.count('select count(*) from vitals')).toBe(120)
})
