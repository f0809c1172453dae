import { createStore } from '../../ui/store.ts'

/**
 * What a visit was about when something else had to come first (an account, health information, a pass): the way back
 * to it. Kept in this tab until it is done or the member logs out; while a mailed link has to be followed, which opens
 * another tab, for this browser.
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
export const keepPackage = (packageId: number) => change({ packageId })
/** A member chose a class. */
export const keepClass = (visit: { date: string; classId: number }, userId: string) => change({ visit, userId })
/** A guest asked for a day, perhaps for one of its classes. A class that was chosen on that day stays chosen. */
export const keepDay = (visit: { date: string; classId?: number }) =>
  change((kept) => (kept.visit?.date === visit.date && !visit.classId ? {} : { visit }))
export const dropPackage = () => change({ packageId: undefined })
export const dropVisit = () => change({ visit: undefined })

function change(next: Unfinished | ((kept: Unfinished) => Unfinished)): void {
  changeKept((kept) => {
    const { userId, ...rest } = { ...kept, ...(typeof next === 'function' ? next(kept) : next) }
    const changed = rest.packageId || rest.visit ? { ...rest, userId } : {}
    sessionStorage.setItem(KEY, JSON.stringify(changed))
    localStorage.removeItem(KEY)
    return changed
  })
}

/** A mailed link has to be followed first, and opens in a tab of its own: there it is found again. */
export function keepForOtherTabs(): void {
  const text = sessionStorage.getItem(KEY)
  if (text) localStorage.setItem(KEY, JSON.stringify({ ...JSON.parse(text), until: Date.now() + OTHER_TABS_MS }))
}

function readKept(): Unfinished {
  if (typeof sessionStorage === 'undefined') return {}
  try {
    const ofTab = sessionStorage.getItem(KEY)
    const { until, ...kept } = JSON.parse(ofTab ?? localStorage.getItem(KEY) ?? '{}')
    return ofTab || until > Date.now() ? kept : {}
  } catch {
    return {}
  }
}
