import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { INSTALL_SCRIPTS, PERMISSIVE, RELEASED_ALL_THE_SAME, TOOLS_ONLY } from './known.ts'
import { licencesIn, lockedPackages } from './packages.ts'

const packages = await lockedPackages('package-lock.json')
const tools = await lockedPackages('lab/tools/package-lock.json')

test('runs no install scripts and knows the packages that have one', async () => {
  expect(await readFile('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const scripts: Record<string, string> = JSON.parse(await readFile('package.json', 'utf8')).scripts
  // Our own would not run either.
  expect(Object.keys(scripts).filter((name) => /^(pre|post)|^(install|prepare)/.test(name))).toEqual([])
  const withScripts = [...packages, ...tools].filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)
  expect(withScripts.sort()).toEqual(Object.keys(INSTALL_SCRIPTS).sort())
})

test('has reviewed every licence and releases only permissive ones, libvips, ical.js and web-push', () => {
  expect(packages.length).toBeGreaterThan(300)
  const mayRelease = (name: string, licence: string) =>
    licencesIn(licence).every((one) => PERMISSIVE.includes(one) || RELEASED_ALL_THE_SAME[one]?.packages.test(name))
  const unknown = [...packages, ...tools].filter(
    ({ name, licence = 'none' }) =>
      !mayRelease(name, licence) &&
      licencesIn(licence).some((one) => !PERMISSIVE.includes(one) && !TOOLS_ONLY[one]?.packages.test(name)),
  )
  expect(unknown.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
  const released = packages.filter(({ isReleased }) => isReleased)
  expect(released.filter(({ name, licence = '' }) => !mayRelease(name, licence))).toEqual([])
})
