import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const UPGRADE = join(import.meta.dirname, 'upgrade.mjs')

const SERVES = `
import { createServer } from 'node:http'
const server = createServer((request, response) => response.end()).listen(0, '127.0.0.1', () =>
  console.log('The studio is open at http://127.0.0.1:' + server.address().port))
process.on('SIGTERM', () => process.exit(0))`
const FAILS = "console.error('column studio.colour does not exist'); process.exit(1)"

/** A server with a small release A behind its link; `restart` is what its restart command does. */
function server() {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'studio-upgrade-')))
  onTestFinished(() => rmSync(place, { recursive: true }))
  const [link, settings] = [join(place, 'studio'), join(place, 'studio.env')]
  writeFileSync(settings, 'APP_URL=https://studio.example\n')
  const release = (name: string, { serves = SERVES, backs = "console.log('backed up')", restart = 'exit 0' } = {}) => {
    const folder = join(place, name)
    mkdirSync(join(folder, 'scripts'), { recursive: true })
    writeFileSync(join(folder, 'scripts/serve.mjs'), serves)
    writeFileSync(join(folder, 'scripts/run.mjs'), backs)
    writeFileSync(join(folder, 'restart'), `echo "restarted ${name}"; ${restart}`)
    writeFileSync(join(folder, 'name'), name)
    return folder
  }
  symlinkSync(release('a'), link)
  return {
    release,
    settings: () => readFileSync(settings, 'utf8'),
    current: () => readFileSync(join(link, 'name'), 'utf8'),
    folders: () => readdirSync(place).filter((name) => /^studio-\d+$/.test(name)),
    upgrade(folder: string, env: Record<string, string> = {}) {
      const archive = `${folder}.tar.gz`
      if (existsSync(folder)) spawnSync('tar', ['-czf', archive, '-C', place, folder.slice(place.length + 1)])
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [UPGRADE, archive, '--restart', `sh ${link}/restart`],
        { encoding: 'utf8', env: { PATH: process.env.PATH, RELEASE_LINK: link, SETTINGS_FILE: settings, ...env } },
      )
      return { status, output: stdout + stderr }
    },
  }
}

test('backs up, tries the new release, switches and restarts', () => {
  const { release, upgrade, current, settings, folders } = server()
  const { status, output } = upgrade(release('b'))
  expect(output).toMatch(/backed up.*Unpacking.*spare port.*Switching.*restarted b.*previous release is still in/s)
  expect([status, current(), folders().length]).toEqual([0, 'b', 1])
  expect(settings()).toBe('APP_URL=https://studio.example\n')
})

test('keeps the running release when the new one does not start, and allows its newer schema until the next upgrade', () => {
  const { release, upgrade, current, settings, folders } = server()
  const failed = upgrade(release('b', { serves: FAILS }))
  expect(failed.output).toContain('The new release does not start:\ncolumn studio.colour does not exist')
  expect(failed.output).not.toContain('restarted')
  expect([failed.status, current(), folders()]).toEqual([1, 'a', []])
  expect(settings()).toBe('APP_URL=https://studio.example\nNEWER_SCHEMA=allow\n')
  expect(upgrade(release('c')).status).toBe(0)
  expect([current(), settings()]).toEqual(['c', 'APP_URL=https://studio.example\n'])
})

test('goes back when the new release does not become ready after the switch', () => {
  const { release, upgrade, current, settings, folders } = server()
  const { status, output } = upgrade(release('b', { restart: 'exit 1' }))
  expect(output).toMatch(/spare port.*restarted b.*Going back.*restarted a.*The upgrade failed\. The site still runs/s)
  expect([status, current(), folders()]).toEqual([1, 'a', []])
  expect(settings()).toContain('NEWER_SCHEMA=allow')
})

test('changes nothing without a backup, a whole file or a link', () => {
  const { release, upgrade, current, settings, folders } = server()
  const before = settings()
  const missing = upgrade('/tmp/no-such-release')
  expect(missing).toMatchObject({ status: 1, output: expect.stringContaining('There is no file /tmp/no-such-release') })
  expect(upgrade(release('b'), { RELEASE_LINK: '/tmp' }).output).toContain('/tmp is not a link to a release')
  writeFileSync(join(release('broken'), '../broken.tar.gz'), 'not a release')
  rmSync(release('broken'), { recursive: true })
  const torn = upgrade(join(release('b'), '../broken'))
  expect(torn.output).toContain('could not be unpacked, so nothing was changed')
  writeFileSync(join(release('a'), 'scripts/run.mjs'), 'process.exit(1)')
  expect(upgrade(release('b')).output).toContain('The backup failed, so nothing was changed.')
  expect([current(), folders(), settings()]).toEqual(['a', [], before])
})
