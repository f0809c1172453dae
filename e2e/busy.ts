import { weekly } from './admin.ts'
import type { Site } from './site.ts'

/** As long as titles and names become. */
export const LONG_TITLE =
  'Slow and Thorough Reformer Pilates for Shoulders, Spines and Stubbornly Unstretchable Hamstrings'
export const LONG_NAMES = {
  firstName: 'Wilhelmina-Josephine-Antoinette',
  lastName: 'Oldroyd-Featherstonehaugh-Cholmondeley',
}

/** Somebody with long names and twenty bookings: two a day, over two weeks. */
export async function memberWithTwentyBookings(site: Site) {
  const member = await site.member({ ...LONG_NAMES, health: true, credits: 40 })
  for (const day of ['14', '15', '16', '17', '18', '21', '22', '23', '28', '29']) {
    for (const at of ['19:05', '20:05'])
      await site.books(member, await site.class({ at: `2026-12-${day} ${at}`, title: `${LONG_TITLE} ${day} ${at}` }))
  }
  return member
}

/** Twelve classes on every day of four weeks: for a site that no other story has to live with. */
export async function busyWeeks(site: Site, title: string) {
  for (let day = 7; day <= 13; day++) {
    const date = `2026-12-${String(day).padStart(2, '0')}`
    for (let hour = 9; hour < 21; hour++) {
      await weekly(site, title, `${date} ${String(hour).padStart(2, '0')}:05`, '2027-01-03')
    }
  }
}
