import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const { setSystemTime } = vi

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-07T09:00Z') })
  vi.stubEnv('SSR', false)
  vi.stubGlobal('localStorage', storage())
  openTab()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** A new tab of the same browser, with empty session storage. */
const openTab = () => vi.stubGlobal('sessionStorage', storage())

function storage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

/** Loads the module again, as a page load does. */
async function load() {
  vi.resetModules()
  const page = await import('./resumable.ts')
  return { ...page, keptFor: (userId: string) => page.choiceOf(page.readKept(), userId) }
}

const class7 = { date: '2026-12-10', classId: 7 }

test('keeps a guest’s choice after a reload and a login', async () => {
  const page = await load()
  page.keepPackage(4)
  page.keepDay({ date: '2026-12-10' })
  expect((await load()).keptFor('ana')).toEqual({ packageId: 4, visit: { date: '2026-12-10' } })
})

test('shows a member’s choice to no other member', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  const later = await load()
  expect(later.keptFor('ana')).toEqual({ visit: class7, userId: 'ana' })
  expect(later.keptFor('boris')).toEqual({})
})

test('keeps the class when its day is stored again', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  page.keepDay({ date: '2026-12-10' })
  expect((await load()).keptFor('ana')).toMatchObject({ visit: class7 })
  page.keepDay({ date: '2026-12-11' })
  expect((await load()).keptFor('ana')).toMatchObject({ visit: { date: '2026-12-11' } })
})

test('removes a choice that is done', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  page.keepPackage(4)
  page.dropVisit()
  expect((await load()).keptFor('ana')).toEqual({ packageId: 4, userId: 'ana' })
  page.dropPackage()
  expect((await load()).keptFor('ana')).toEqual({})
})

test('shows a guest’s choice in another tab while the emailed link works', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  openTab()
  expect((await load()).keptFor('ana')).toEqual({})

  const guest = await load()
  guest.keepPackage(4)
  openTab()
  setSystemTime(new Date('2026-12-09T08:59Z'))
  const other = await load()
  expect(other.keptFor('ana')).toEqual({ packageId: 4 })
  setSystemTime(new Date('2026-12-09T09:00Z'))
  expect((await load()).keptFor('ana')).toEqual({})

  other.dropPackage()
  expect(localStorage.getItem('resumable')).toBeNull()
})

test('ignores unreadable storage', async () => {
  sessionStorage.setItem('resumable', '{')
  expect((await load()).keptFor('ana')).toEqual({})
})
