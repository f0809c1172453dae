import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'
import { demo, faultsOf, folder, LIVE } from './settings-under-test.ts'

test('generates demo secrets once, readable by their owner only', () => {
  const DATA_DIR = join(folder(), 'made', 'on', 'demand')
  const first = readSettings({ DATA_DIR })
  expect(first.healthDataKeys[0]).toHaveLength(32)
  expect(readSettings({ DATA_DIR })).toEqual(first)
  const file = join(DATA_DIR, 'secrets.json')
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toContain(first.sessionSecret)
  const other = demo()
  expect(other.sessionSecret).not.toBe(first.sessionSecret)
  expect(other.healthDataKeys).not.toEqual(first.healthDataKeys)
})

test('uses secrets from the environment instead of saved ones', () => {
  const { SESSION_SECRET, HEALTH_DATA_KEY } = LIVE
  expect(demo({ SESSION_SECRET, HEALTH_DATA_KEY })).toMatchObject({
    sessionSecret: SESSION_SECRET,
    healthDataKeys: [Buffer.alloc(32, 1)],
  })
})

test('reports a broken secrets file without quoting or replacing it', () => {
  const DATA_DIR = folder()
  const file = join(DATA_DIR, 'secrets.json')
  const broken = '{"sessionSecret": "canary", "healthDataKey'
  writeFileSync(file, broken)
  const [fault, ...more] = faultsOf({ DATA_DIR })
  expect(more).toEqual([])
  expect(fault).toContain('secrets.json')
  expect(fault).not.toContain('canary')
  expect(readFileSync(file, 'utf8')).toBe(broken)
})
