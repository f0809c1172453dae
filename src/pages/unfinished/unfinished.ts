import { createStore } from '#ui/store.ts'

/**
 * What a visit was about when something else had to come first (an account, health information, a pass): the way back
 * to it. Kept in this tab until it is done or the member logs out. What a guest chose is kept for this browser: the
 * mailed link that a new account begins with opens another tab.
 */
export type Unfinished = {
  /** The package that was chosen. */
  packageId?: number
  /** The day that was looked at, and the class of it that was chosen. */
  visit?: { date: string; classId?: number }
  /** Whose it is, where somebody was logged in. */
  userId?: string
}

const KEY = 'unfinished'
/** As long as the mailed link works. */
const OTHER_TABS_MS = 48 * 60 * 60 * 1000

const [useKept, changeKept] = createStore<Unfinished>(readKept())

/** What this visitor has not finished; somebody else's is nobody's business. */
export function useUnfinished(userId: string): Unfinished {
  const kept = useKept()
  return kept.userId === undefined || kept.userId === userId ? kept : {}
}

/** A guest chose a package. */
export const keepPackage = (packageId: number) => change({ packageId }, { byGuest: true })
/** A member chose a class. */
export const keepClass = (visit: { date: string; classId: number }, userId: string) => change({ visit, userId })
/** A guest asked for a day, perhaps for one of its classes. A class that was chosen on that day stays chosen. */
export const keepDay = (visit: { date: string; classId?: number }) =>
  change((kept) => (kept.visit?.date === visit.date && !visit.classId ? {} : { visit }), { byGuest: true })
export const dropPackage = () => change({ packageId: undefined })
export const dropVisit = () => change({ visit: undefined })

function change(next: Unfinished | ((kept: Unfinished) => Unfinished), { byGuest = false } = {}): void {
  changeKept((kept) => {
    const { userId, ...rest } = { ...kept, ...(typeof next === 'function' ? next(kept) : next) }
    const changed = rest.packageId || rest.visit ? { ...rest, userId } : {}
    sessionStorage.setItem(KEY, JSON.stringify(changed))
    if (byGuest) localStorage.setItem(KEY, JSON.stringify({ ...changed, until: Date.now() + OTHER_TABS_MS }))
    else localStorage.removeItem(KEY)
    return changed
  })
}

function readKept(): Unfinished {
  if (import.meta.env.SSR) return {}
  try {
    const ofTab = sessionStorage.getItem(KEY)
    const { until, ...kept } = JSON.parse(ofTab ?? localStorage.getItem(KEY) ?? '{}')
    return ofTab || until > Date.now() ? kept : {}
  } catch {
    return {}
  }
}
