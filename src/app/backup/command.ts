import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BackupRefused } from '#platform/database/backup/archive.ts'
import { SECRET_NAMES, type Settings } from '../settings.ts'

export const print = (sentence: string) => console.log(sentence)

/** Runs a command: exit code 0, or 1 and a message. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error) => {
    // An AggregateError has no message.
    console.error((error instanceof Error && error.message) || error)
    process.exit(1)
  })
}

/** The secret keys in a file by `age-keygen`. */
export async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return []
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new BackupRefused(`${file} cannot be read: ${error.message}.`)
  })
  const keys = text.split('\n').filter((line) => /^AGE-SECRET-KEY-/.test(line.trim()))
  if (keys.length === 0) throw new BackupRefused(`${file} does not contain an age secret key (AGE-SECRET-KEY-…).`)
  return keys.map((key) => key.trim())
}

export function sizeInWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/**
 * The secrets that a studio needs elsewhere, as lines of an environment file (`NAME="value"`): those that were set, and
 * those that were generated at the first start.
 */
export function secretLines(settings: Settings, env: Record<string, string | undefined>): string {
  const made: Record<string, string> = {
    SESSION_SECRET: settings.sessionSecret,
    HEALTH_DATA_KEY: settings.healthDataKeys.map((key) => key.toString('base64')).join(','),
  }
  const lines = SECRET_NAMES.flatMap((name) => {
    const value = env[name]?.trim() || made[name]
    return value ? [`${name}=${JSON.stringify(value)}\n`] : []
  })
  return lines.join('')
}

const Package = z.object({ version: z.string() })

/** The application's version, from `package.json`. */
export async function applicationVersion(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return Package.parse(JSON.parse(text)).version
}
