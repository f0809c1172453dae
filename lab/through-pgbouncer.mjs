// npm run lab -- through-pgbouncer: the server's tests with a real PgBouncer, in transaction mode, before every database.
//   npm run lab -- through-pgbouncer src/booking      the rest goes to Vitest
//   PGBOUNCER=/usr/sbin/pgbouncer                 the program, where it is not on the PATH
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, say, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

await script(async () => {
  const node = await ensureInstalled()
  const program = process.env.PGBOUNCER ?? 'pgbouncer'
  const { status, stdout } = spawnSync(program, ['--version'])
  const [, version, major, minor] = /PgBouncer ((\d+)\.(\d+)\S*)/.exec(String(stdout)) ?? []
  if (status !== 0 || !version)
    throw new Failure(`There is no PgBouncer at ${program}. Install it, or name it with PGBOUNCER.`)
  if (Number(major) === 1 && Number(minor) < 21) {
    throw new Failure(`PgBouncer ${version} keeps no prepared statements in transaction mode; it takes 1.21 or newer.`)
  }
  say(`Through PgBouncer ${version}.`)
  const words = process.argv.slice(2)
  const env = environment(node, { STUDIO_TESTS_PGBOUNCER: program })
  return run(node, [inProject('node_modules/vitest/vitest.mjs'), 'run', ...(words.length > 0 ? words : ['src'])], {
    env,
  })
})
