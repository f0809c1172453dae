// npm run lab -- attack: attacks on sign-in, roles, tokens and input. Words choose files.
import { script } from '../scripts/lib/project.mjs'
import { runTests } from './lib/vitest.mjs'

await script(() => runTests(process.argv.slice(2), { LAB_TESTS: 'lab/attack/**/*.attack.ts' }))
