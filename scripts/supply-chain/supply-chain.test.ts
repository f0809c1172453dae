import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { INSTALL_SCRIPTS, PERMISSIVE, TOOLS_ONLY } from './known.ts'
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

test('has reviewed every licence and releases only permissive ones', () => {
  expect(packages.length).toBeGreaterThan(300)
  const unknown = [...packages, ...tools].filter(({ name, licence = 'none' }) =>
    licencesIn(licence).some((one) => !PERMISSIVE.includes(one) && !TOOLS_ONLY[one]?.packages.test(name)),
  )
  expect(unknown.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
  const released = packages.filter(({ isReleased }) => isReleased)
  const notPermissive = released.filter(
    ({ licence = '' }) => !licencesIn(licence).every((one) => PERMISSIVE.includes(one)),
  )
  expect(notPermissive).toEqual([])
})
