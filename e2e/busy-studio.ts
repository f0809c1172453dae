import { createWeeklySeries } from './admin.ts'
import type { Site } from './site.ts'

export const LONG_TITLE =
  'Slow and Thorough Reformer Pilates for Shoulders, Spines and Stubbornly Unstretchable Hamstrings'
export const LONG_NAMES = {
  firstName: 'Wilhelmina-Josephine-Antoinette',
  lastName: 'Oldroyd-Featherstonehaugh-Cholmondeley',
}

/** A member with long names and two bookings a day for two weeks. */
export async function memberWithTwentyBookings(site: Site) {
  const member = await site.member({ ...LONG_NAMES, health: true, credits: 40 })
  for (const day of ['14', '15', '16', '17', '18', '21', '22', '23', '28', '29']) {
    for (const at of ['19:05', '20:05'])
      await site.book(member, await site.class({ at: `2026-12-${day} ${at}`, title: `${LONG_TITLE} ${day} ${at}` }))
  }
  return member
}

/** Creates twelve classes a day for four weeks. Use it on its own site. */
export async function fillFourWeeks(site: Site, title: string) {
  for (let day = 7; day <= 13; day++) {
    const date = `2026-12-${String(day).padStart(2, '0')}`
    for (let hour = 9; hour < 21; hour++) {
      await createWeeklySeries(site, title, `${date} ${String(hour).padStart(2, '0')}:05`, '2027-01-03')
    }
  }
}
