import { createStore } from '#ui/store.ts'

/**
 * A package, day or class that a visitor chose before something else had to come first (an account, health information,
 * a pass). Stored for the tab until it is done or the member logs out, and for a guest also for the browser, because
 * the link in the verification email opens another tab.
 */
export type Resumable = {
  packageId?: number
  /** The package was to be a gift. */
  isGift?: boolean
  visit?: { date: string; classId?: number }
  /** Absent if a guest chose it. */
  userId?: string
}

const KEY = 'resumable'
/** As long as the link in the email works. */
const OTHER_TABS_MS = 48 * 60 * 60 * 1000

const NOTHING: Resumable = {}
const [useKept, changeKept] = createStore(readKept(), NOTHING)

/** This visitor's choice, never another member's. Nothing during hydration, because the server does not know it. */
export const useResumable = (userId: string) => choiceOf(useKept(), userId)

export const choiceOf = (kept: Resumable, userId: string) =>
  kept.userId === undefined || kept.userId === userId ? kept : NOTHING

export const keepPackage = (packageId: number, isGift = false) =>
  change({ packageId, isGift: isGift || undefined }, { byGuest: true })
export const keepClass = (visit: { date: string; classId: number }, userId: string) => change({ visit, userId })
/** Stores a guest's day or class. A class already chosen on that day stays chosen. */
export const keepDay = (visit: { date: string; classId?: number }) =>
  change((kept) => (kept.visit?.date === visit.date && !visit.classId ? {} : { visit }), { byGuest: true })
export const dropPackage = () => change({ packageId: undefined, isGift: undefined })
export const dropVisit = () => change({ visit: undefined })

function change(next: Resumable | ((kept: Resumable) => Resumable), { byGuest = false } = {}): void {
  changeKept((kept) => {
    const { userId, ...rest } = { ...kept, ...(typeof next === 'function' ? next(kept) : next) }
    const changed = rest.packageId || rest.visit ? { ...rest, userId } : {}
    sessionStorage.setItem(KEY, JSON.stringify(changed))
    if (byGuest) localStorage.setItem(KEY, JSON.stringify({ ...changed, until: Date.now() + OTHER_TABS_MS }))
    else localStorage.removeItem(KEY)
    return changed
  })
}

/** What the browser has stored. */
export function readKept(): Resumable {
  if (import.meta.env.SSR) return NOTHING
  try {
    const ofTab = sessionStorage.getItem(KEY)
    const stored = ofTab ?? localStorage.getItem(KEY)
    if (!stored) return NOTHING
    const { until, ...kept } = JSON.parse(stored)
    return ofTab || until > Date.now() ? kept : NOTHING
  } catch {
    return NOTHING
  }
}
