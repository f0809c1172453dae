import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
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

/** A tab of the same browser: what it keeps for itself begins empty. */
const openTab = () => vi.stubGlobal('sessionStorage', storage())

function storage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  }
}

/** The page as a load of it finds things. */
async function load() {
  vi.resetModules()
  const page = await import('./unfinished.ts')
  const keptFor = (userId: string) => {
    let kept: unknown
    renderToString(
      createElement(() => {
        kept = page.useUnfinished(userId)
        return null
      }),
    )
    return kept
  }
  return { ...page, keptFor }
}

const class7 = { date: '2026-12-10', classId: 7 }

test('what a guest chose outlives a reload and is there for who logs in', async () => {
  const page = await load()
  page.keepPackage(4)
  page.keepDay({ date: '2026-12-10' })
  expect((await load()).keptFor('ana')).toEqual({ packageId: 4, visit: { date: '2026-12-10' } })
})

test('what a member chose is shown to nobody else', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  const later = await load()
  expect(later.keptFor('ana')).toEqual({ visit: class7, userId: 'ana' })
  expect(later.keptFor('boris')).toEqual({})
})

test('a session that ends on a day keeps the class that was chosen on it', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  page.keepDay({ date: '2026-12-10' })
  expect((await load()).keptFor('ana')).toMatchObject({ visit: class7 })
  page.keepDay({ date: '2026-12-11' })
  expect((await load()).keptFor('ana')).toMatchObject({ visit: { date: '2026-12-11' } })
})

test('done, nothing of it stays', async () => {
  const page = await load()
  page.keepClass(class7, 'ana')
  page.keepPackage(4)
  page.dropVisit()
  expect((await load()).keptFor('ana')).toEqual({ packageId: 4, userId: 'ana' })
  page.dropPackage()
  expect((await load()).keptFor('ana')).toEqual({})
})

test('where a mailed link opens another tab it is found there, as long as the link works', async () => {
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
  expect(localStorage.getItem('unfinished')).toBeNull()
})

test('what is kept but cannot be read is nothing', async () => {
  sessionStorage.setItem('unfinished', '{')
  expect((await load()).keptFor('ana')).toEqual({})
})
