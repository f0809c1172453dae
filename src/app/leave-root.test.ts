import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LIVE } from '#testing/live-settings.ts'
import { leaveRoot } from './leave-root.ts'
import { dataFolder, MAIN, runMain } from './main-under-test.ts'

/** A fake process of root, and the calls that it got. */
function startedByRoot({ stays = false } = {}) {
  const done: unknown[] = []
  let uid = 0
  return {
    done,
    getuid: () => uid,
    setgroups: (groups: readonly (string | number)[]) => void done.push(['groups', ...groups]),
    setgid: (id: number | string) => void done.push(['gid', id]),
    setuid: (id: number | string) => {
      done.push(['uid', id])
      if (!stays) uid = Number(id)
    },
  }
}

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), 'studio-root-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('switches to the named user when root starts a live site, groups first', () => {
  const privileges = startedByRoot()
  leaveRoot({ mode: 'live', runAs: 'nobody', dataDir: home() }, privileges)
  const [[, gid] = [], , [, uid] = []] = privileges.done as [string, number][]
  expect(privileges.done).toEqual([
    ['groups', gid],
    ['gid', gid],
    ['uid', uid],
  ])
  expect(gid).toBeGreaterThan(0)
  expect(uid).toBeGreaterThan(0)
})

test('creates a missing DATA_DIR for that user', () => {
  const dataDir = join(home(), 'data')
  const [privileges, isRoot] = [startedByRoot(), process.getuid?.() === 0]
  // Only root may change a folder's owner.
  if (isRoot) leaveRoot({ mode: 'live', runAs: 'nobody', dataDir }, privileges)
  expect(existsSync(dataDir)).toBe(isRoot)
  if (isRoot) expect(statSync(dataDir).uid).toBe(privileges.getuid())
})

test.each([
  ['the system has no such user', { runAs: 'no-such-user' }, {}, 'this system has no such unprivileged user'],
  ['the user is another name of root', { runAs: 'root' }, {}, 'this system has no such unprivileged user'],
  ['root stays root', { runAs: 'nobody' }, { stays: true }, 'could not switch to'],
])('stops with a message when %s', (_, { runAs }, how, sentence) => {
  expect(() => leaveRoot({ mode: 'live', runAs, dataDir: home() }, startedByRoot(how))).toThrow(sentence)
})

test('does not switch for an ordinary user, nor for a demo', () => {
  const ordinary = { ...startedByRoot(), getuid: () => 1000 }
  leaveRoot({ mode: 'live', runAs: 'nobody', dataDir: home() }, ordinary)
  const demo = startedByRoot()
  leaveRoot({ mode: 'demo', runAs: 'nobody', dataDir: home() }, demo)
  expect([ordinary.done, demo.done]).toEqual([[], []])
})

test('names RUN_AS together with all other faults', async () => {
  const DATA_DIR = await dataFolder()
  const live = runMain({ STUDIO_MODE: 'live', DATA_DIR, APP_URL: 'http://studio.example' }, MAIN)
  expect(await live.ended).toBe(1)
  const faults = live.output()
  expect(faults).toContain('- APP_URL must begin with https://')
  expect(faults).toContain('- SESSION_SECRET is missing')
  if (process.getuid?.() === 0) expect(faults).toContain('- RUN_AS is missing: a live site cannot run as root')
})

test('checks before the site opens anything', async () => {
  const DATA_DIR = await dataFolder()
  const live = runMain({ ...LIVE, DATA_DIR, PORT: '0', RUN_AS: 'no-such-user' }, MAIN)
  if (process.getuid?.() === 0) {
    expect(await live.ended).toBe(1)
    expect(live.output()).toMatch(/^The settings need attention:\n {2}- RUN_AS is no-such-user, [^\n]*\n$/)
  } else await live.waitForOutput('The studio is open')
})
