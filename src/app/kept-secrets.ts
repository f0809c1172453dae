import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf } from '#platform/errno.ts'
import { SettingsError } from './settings-error.ts'

const KeptSecrets = z.object({ sessionSecret: z.string(), healthDataKey: z.string(), webhookSecret: z.string() })

/** The demo's secrets: made once and kept in `DATA_DIR/secrets.json`, readable by its owner only. */
export function keptSecrets(dataDir: string): z.output<typeof KeptSecrets> {
  const file = join(dataDir, 'secrets.json')
  if (existsSync(file)) return readSecrets(file)
  mkdirSync(dataDir, { recursive: true })
  const made = {
    sessionSecret: randomBytes(32).toString('base64'),
    healthDataKey: randomBytes(32).toString('base64'),
    webhookSecret: `whsec_${randomBytes(24).toString('base64url')}`,
  }
  // Written aside and linked into place: the file is whole or not there, and of two processes that start together
  // one makes the secrets and the other reads them.
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(draft, file)
    return made
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return readSecrets(file)
  } finally {
    rmSync(draft)
  }
}

/** What a parser would say of a broken file quotes it, so our own words go out instead. */
function readSecrets(file: string): z.output<typeof KeptSecrets> {
  try {
    return KeptSecrets.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    throw new SettingsError([
      `${file} cannot be read or is broken. Put it back from a backup: the health data in the database needs its key.`,
    ])
  }
}
