/** In the order of a week. */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
export type Day = (typeof DAYS)[number]
/** Wall times of the studio; null if closed all day. */
export type Opening = { opens: string; closes: string } | null

/** Opening hours in words; consecutive days with the same hours are grouped: `Monday to Friday`. */
export function hoursInWords(hours: Readonly<Record<Day, Opening>>): { days: string; times: string | null }[] {
  const runs: { days: Day[]; times: string | null }[] = []
  for (const day of DAYS) {
    const open = hours[day]
    const times = open && `${open.opens} - ${open.closes}`
    const last = runs.at(-1)
    if (last?.times === times) last.days.push(day)
    else runs.push({ days: [day], times })
  }
  return runs.map(({ days, times }) => ({
    days: days.length > 1 ? `${days[0]} to ${days.at(-1)}` : `${days[0]}`,
    times,
  }))
}
