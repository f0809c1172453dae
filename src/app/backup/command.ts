import { readFile } from 'node:fs/promises'
import { BackupRefused } from '#platform/database/backup/archive.ts'

export const say = (sentence: string) => console.log(sentence)

/** Runs a command to its end: exit code 0, or 1 and a sentence. */
export function runCommand(command: () => Promise<void>): void {
  command().catch((error) => {
    // Several addresses that refuse a connection are one error without a message.
    console.error((error instanceof Error && error.message) || error)
    process.exit(1)
  })
}

/** The secret keys in a file as `age-keygen` writes it. */
export async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return []
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new BackupRefused(`${file} cannot be read: ${error.message}.`)
  })
  const keys = text.split('\n').filter((line) => /^AGE-SECRET-KEY-/.test(line.trim()))
  if (keys.length === 0) throw new BackupRefused(`${file} holds no secret key of age (AGE-SECRET-KEY-…).`)
  return keys.map((key) => key.trim())
}

/** A size as people say it. */
export function sizeInWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
