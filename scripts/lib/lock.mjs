import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inProject } from './project.mjs'

/** Not in node_modules or build, which are emptied. */
const folder = inProject('.studio')

/**
 * Does `work` under a lock file, so that concurrent commands don't delete each other's node_modules or build. A lock
 * whose process has ended is replaced.
 * @template T @param {'install' | 'build'} name @param {() => void} onWait @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(name, onWait, work) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/.gitignore`, '*\n')
  const file = `${folder}/${name}.lock`
  let hasWaited = false
  while (!take(file)) {
    if (!hasWaited) onWait()
    hasWaited = true
    await pause(200)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function take(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, identityOf(process.pid)) // linked when complete, so nobody reads half of it
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld(file)) rmSync(file, { force: true })
    return false
  } finally {
    rmSync(mine, { force: true })
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    const holder = readFileSync(file, 'utf8')
    const pid = Number.parseInt(holder, 10)
    process.kill(pid, 0)
    return holder === identityOf(pid)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The pid and, on Linux, its start time: a restarted container reuses pids. */
function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid} ${stat.slice(stat.lastIndexOf(')')).split(' ')[20]}`
  } catch {
    return `${pid}`
  }
}
