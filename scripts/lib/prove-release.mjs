import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run } from './processes.mjs'
import { Failure, print } from './project.mjs'

/** The user that serves the release if root builds it. */
const NOBODY = 65_534
const OPEN = /The studio is open at (http\S+)/

/**
 * Unpacks a release and serves it as an ordinary user who can only write to DATA_DIR.
 * @param {string} archive @param {string} title the folder in it
 */
export async function proveRelease(archive, title) {
  const place = mkdtempSync(path.join(tmpdir(), 'studio-release-'))
  const data = path.join(place, 'data')
  try {
    await must('unpacked', 'tar', ['--extract', '--gzip', `--file=${archive}`, `--directory=${place}`])
    mkdirSync(data)
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(data, NOBODY, NOBODY)
    await must('closed', 'chmod', ['-R', 'a-w,a+rX', path.join(place, title)])
    await must('opened', 'chmod', ['a+rx', place])
    await serve(path.join(place, title), data, isRoot ? { uid: NOBODY, gid: NOBODY } : {})
  } finally {
    await run('chmod', ['-R', 'u+w', place])
    rmSync(place, { recursive: true, force: true })
  }
}

/** @param {string} what @param {string} command @param {string[]} args */
async function must(what, command, args) {
  if ((await run(command, args)) !== 0)
    throw new Failure(`The release could not be ${what}; see the output of ${command} above.`)
}

/** @param {string} folder @param {string} dataDir @param {{ uid?: number, gid?: number }} who */
async function serve(folder, dataDir, who) {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', TMPDIR: dataDir }
  const server = spawn(process.execPath, ['scripts/serve.mjs'], { cwd: folder, env, ...who })
  const ended = once(server, 'exit')
  let output = ''
  const open = new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        const origin = OPEN.exec(output)?.[1]
        if (origin) resolve(origin)
      })
    }
    ended.then(() => reject(new Failure(`The release does not start. Its output:\n${output}`)))
  })
  try {
    const origin = await open
    for (const address of ['/readyz', '/', '/api/packages', '/pricing']) {
      const { status } = await fetch(origin + address)
      if (status !== 200) throw new Failure(`The release returned ${status} for ${address}.`)
    }
    print(`The release was unpacked in ${path.dirname(folder)} and served (user ${statSync(dataDir).uid}).`)
  } finally {
    server.kill('SIGTERM')
    await ended
  }
}
