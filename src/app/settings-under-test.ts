import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readSettings, SettingsError } from './settings.ts'

export const KEY = Buffer.alloc(32, 1).toString('base64')
export const OLDER_KEY = Buffer.alloc(32, 2).toString('base64')
export const LIVE = {
  STUDIO_MODE: 'live',
  DATABASE_URL: 'postgres://studio:word@127.0.0.1/studio',
  APP_URL: 'https://studio.example',
  SESSION_SECRET: 's'.repeat(32),
  HEALTH_DATA_KEY: KEY,
  SMTP_URL: 'smtps://user:word@mail.studio.example',
  MAIL_FROM: 'Studio <hello@studio.example>',
}
export const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'studio-settings-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
export const demo = (env: Record<string, string | undefined> = {}) => readSettings({ DATA_DIR: folder(), ...env })
export const live = (env: Record<string, string | undefined> = {}) => readSettings({ ...LIVE, ...env })

/** The faults that `readSettings` reports. */
export function faultsOf(env: Record<string, string | undefined>): string[] {
  try {
    readSettings({ DATA_DIR: folder(), ...env })
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const [, ...lines] = error.message.split('\n')
    return lines.map((line) => line.replace(/^ {2}- /, '')).sort()
  }
  return []
}
