import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { inProject } from './project.mjs'

/** A folder of its own: `npm ci` empties node_modules, a build empties build. It keeps itself out of git. */
const folder = inProject('.studio')

/**
 * Does `work` while no other start of this project does the same: two at once would tear down each other's
 * node_modules or build. The lock of a process that is gone is taken over.
 * @template T @param {'install' | 'build'} name @param {() => void} onWait @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function alone(name, onWait, work) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/.gitignore`, '*\n')
  const file = `${folder}/${name}.lock`
  let waited = false
  while (!take(file)) {
    if (!waited) onWait()
    waited = true
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
  writeFileSync(mine, identityOf(process.pid)) // linked when complete, so that nobody reads a half-written name
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

/** A pid and, where the system tells it, since when: after a restart of a container the same pids are given again. */
function identityOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return `${pid} ${stat.slice(stat.lastIndexOf(')')).split(' ')[20]}`
  } catch {
    return `${pid}`
  }
}
