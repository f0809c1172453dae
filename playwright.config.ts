import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '#testing/chromium.ts'

const { executablePath, args, env } = await findChromium()

/** `npm run test:slow` */
const SLOW = '*.slow.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/browser',
  // A test waits for a fifth of its time, so one extra worker keeps the cores busy.
  workers: availableParallelism() + 1,
  // CI repeats a failed test once, on a new site, and lists it as flaky.
  retries: process.env.CI ? 1 : 0,
  projects: [
    { name: 'fast', testIgnore: SLOW },
    { name: 'slow', testMatch: SLOW },
  ],
  // CI machines can be slow.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Tests cannot intercept a service worker's requests. Its own tests allow it.
    serviceWorkers: 'block',
    // Motion takes a sixth of a test's time. Tests of animations use WITH_MOTION (e2e/site.ts).
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath, args, env },
    // Traces take a fifth of the time. To debug: --trace retain-on-failure.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
