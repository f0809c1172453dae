// npm run lab -- through-pgbouncer: runs the server's tests through a real PgBouncer in transaction mode.
//   npm run lab -- through-pgbouncer src/booking      arguments go to Vitest
//   PGBOUNCER=/usr/sbin/pgbouncer                 the program, if it is not on the PATH
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, print, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  const program = process.env.PGBOUNCER ?? 'pgbouncer'
  const { status, stdout } = spawnSync(program, ['--version'])
  const [, version, major, minor] = /PgBouncer ((\d+)\.(\d+)\S*)/.exec(String(stdout)) ?? []
  if (status !== 0 || !version)
    throw new Failure(`PgBouncer was not found at ${program}. Install it, or set PGBOUNCER.`)
  if (Number(major) === 1 && Number(minor) < 21) {
    throw new Failure(
      `PgBouncer ${version} does not support prepared statements in transaction mode. Install 1.21 or newer.`,
    )
  }
  print(`Using PgBouncer ${version}.`)
  const words = process.argv.slice(2)
  const env = environment(node, { STUDIO_TESTS_PGBOUNCER: program })
  return run(node, [inProject('node_modules/vitest/vitest.mjs'), 'run', ...(words.length > 0 ? words : ['src'])], {
    env,
  })
})
