import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '#testing/chromium.ts'

const { executablePath, args, env } = await findChromium()

/** Sweeps over every screen, width and hour: `npm run test:slow`. */
const SLOW = '*.slow.spec.ts'
/** Starts its own site at another date (`opensAt`). */
const AUTUMN = 'day-boundaries.slow.spec.ts'
/** Start a site where admins need a second step. */
const SECOND_STEP = 'second-step*.slow.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/browser',
  // Two cores must be enough. A test waits for a fifth of its time: one worker more than there are cores keeps them busy.
  workers: availableParallelism() + 1,
  // A test that passes on the second try is a fault that somebody will meet.
  retries: 0,
  // Whichever worker is free takes the next test, so that none goes on alone with a long file at the end.
  fullyParallel: true,
  projects: [
    { name: 'fast', testIgnore: SLOW },
    // The two with a site of their own come first and keep to one worker, so that each site is started once.
    { name: 'slow, autumn', testMatch: AUTUMN, fullyParallel: false },
    { name: 'slow, second step', testMatch: SECOND_STEP, workers: 1 },
    { name: 'slow', testMatch: SLOW, testIgnore: [AUTUMN, SECOND_STEP] },
  ],
  // A busy machine is slow; a test that waits is not wrong.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // What a worker asks for, no story could hold or answer. The worker's own stories let it in.
    serviceWorkers: 'block',
    // What moves costs a sixth of a story's work. Whose subject is how it feels, asks for motion: MOVING in e2e/site.ts.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath, args, env },
    // Recording one costs a fifth of the whole; whoever looks for a fault asks for it: --trace retain-on-failure.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
