// Plain JavaScript for Node 20.19 or later: scripts run before the project is installed.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder, the working directory of every script. */
export const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '')

/** @param {...string} parts */
export const inProject = (...parts) => path.resolve(root, ...parts)

/** Prints a line. @param {string} sentence */
export const print = (sentence) => console.log(sentence)

/** An error that is printed without a stack. */
export class Failure extends Error {}

/**
 * Runs a script: its number becomes the exit code, a Failure becomes a sentence and exit code 1.
 * @param {() => Promise<number>} work
 */
export async function script(work) {
  process.chdir(root)
  try {
    process.exitCode = await work()
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    process.exitCode = 1
  }
}

/** The content of a JSON file, or null if it is missing or unreadable. @param {string} file */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Writes a JSON file atomically. @param {string} file @param {unknown} value */
export function writeJson(file, value) {
  writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`)
  renameSync(`${file}.new`, file)
}
