import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './src/testing/chromium.ts'

const { executablePath, args, env } = await findChromium()

export default defineConfig({
  testDir: 'e2e',
  testIgnore: 'screenshots/**',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results/browser',
  // Two cores must be enough. A test waits for a fifth of its time: one worker more than there are cores keeps them busy.
  workers: availableParallelism() + 1,
  // A test that passes on the second try is a fault that somebody will meet.
  retries: 0,
  fullyParallel: false,
  // A busy machine is slow; a test that waits is not wrong.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    ...devices['Desktop Chrome'],
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    launchOptions: { executablePath, args, env },
    // Recording one costs a fifth of the whole; whoever looks for a fault asks for it: --trace retain-on-failure.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
