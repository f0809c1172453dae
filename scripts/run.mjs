// npm run admin, lab: node scripts/run.mjs [--serving] [--built] [--tools] <file.ts> [arguments]
// Runs a TypeScript file on the project's Node. --serving: installs nothing if the server's packages are there,
// --built: builds the pages first, --tools: installs lab/tools.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled, ensureTools, installedForServing } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { Failure, script } from './lib/project.mjs'
import { environment } from './lib/runtime.mjs'

await script(async () => {
  const args = process.argv.slice(2)
  const serving = args[0] === '--serving' && args.shift()
  const built = args[0] === '--built' && args.shift()
  const tools = args[0] === '--tools' && args.shift()
  if (!args[0]) throw new Failure('Name a file: node scripts/run.mjs src/app/admin.ts')
  const node = (serving && installedForServing()) || (await ensureInstalled())
  if (built) await ensureBuilt(node)
  if (tools) await ensureTools()
  const env = environment(node, { NODE_ENV: process.env.NODE_ENV ?? 'production' })
  return run(node, args, { env, stdin: 'inherit' })
})
