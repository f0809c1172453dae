import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/**
 * These put something else in the place of a module, which a process can do only before anything else has loaded it.
 */
const ISOLATED = ['src/**/*.isolated.test.ts']
/** Sweeps, process starts and other tests that take minutes: `npm run test:slow`. */
const SLOW = ['src/**/*.slow.test.ts', 'scripts/*.slow.test.ts', 'lab/**/*.slow.test.ts']

/** The first that runs our TypeScript and has Temporal. */
const NEEDED_MAJOR = 26
if (Number.parseInt(process.versions.node, 10) < NEEDED_MAJOR) {
  console.error(
    `The tests need Node ${NEEDED_MAJOR}, and this is ${process.versions.node}. Run them on the project's own: npm test -- unit <file>`,
  )
  process.exit(1)
}

// Vite's own config (vite.config.ts) builds pages; this one takes its place for vitest, so tests load no React Router.
export default defineConfig({
  test: {
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/matchers.ts'],
    pool: 'forks',
    // Half of a test is waiting for PostgreSQL: one process more than there are cores keeps them busy.
    maxWorkers: availableParallelism() + 1,
    // Tests start real servers, and a machine with two cores may be busy: slow is not wrong.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // CI repeats a failed test once and prints it (matchers.ts).
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: [
            'src/**/*.test.{ts,tsx}',
            'stripe-sandbox/**/*.test.ts',
            'scripts/**/*.test.ts',
            'docs/**/*.test.ts',
          ],
          exclude: [...ISOLATED, ...SLOW],
          // A process loads the product once and keeps it for all its files, including its idle studios
          // (studio-pool.ts).
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      { extends: true, test: { name: 'slow', include: SLOW, isolate: false } },
    ],
  },
})
