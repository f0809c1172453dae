import config from './playwright.config.ts'

/** `npm run screenshots`: the walk through every screen, into the ignored folder `screenshots/`. */
export default {
  ...config,
  testDir: 'e2e/screenshots',
  testIgnore: [],
  outputDir: 'test-results/screenshots',
  reporter: [['line']],
  fullyParallel: true,
}
