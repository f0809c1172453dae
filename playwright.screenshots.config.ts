import config from './playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/** `npm run screenshots`: the walk through every screen, into the ignored folder `screenshots/`. */
export default {
  ...shared,
  testDir: 'e2e/screenshots',
  outputDir: 'test-results/screenshots',
  reporter: [['line']],
}
