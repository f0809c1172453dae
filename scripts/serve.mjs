// npm run serve: serves the built site on the project's Node. Installs and builds nothing, so production needs no
// network and writes only to DATA_DIR.
import { existsSync } from 'node:fs'
import { installedForServing, missingForServing } from './lib/install.mjs'
import { run } from './lib/processes.mjs'
import { Failure, inProject, script } from './lib/project.mjs'
import { environment, SITE } from './lib/runtime.mjs'

await script(async () => {
  const node = installedForServing()
  if (!node) throw new Failure(missingForServing())
  if (!existsSync(inProject('build', 'server', 'index.js'))) {
    throw new Failure(
      'The pages are not built. Run npm run build here, or serve a release (npm run release makes one).',
    )
  }
  const env = environment(node, { NODE_ENV: 'production' })
  return run(node, [...SITE, 'src/app/main.ts'], { env, server: true })
})
