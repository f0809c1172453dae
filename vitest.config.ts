import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Vite's own config (vite.config.ts) builds pages; this one takes its place for vitest, so tests load no React Router.
export default defineConfig({
  test: {
    include: [
      'src/**/*.test.{ts,tsx}',
      'stripe-sandbox/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
      'docs/**/*.test.ts',
    ],
    globalSetup: ['src/testing/global-setup.ts'],
    setupFiles: ['src/testing/matchers.ts'],
    pool: 'forks',
    // Half of a test is waiting for PostgreSQL: all cores work, and two processes at least.
    maxWorkers: Math.max(2, availableParallelism()),
    // Tests start real servers, and a machine with two cores may be busy: slow is not wrong.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
