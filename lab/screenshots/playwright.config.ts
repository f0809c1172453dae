import config from '../../playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/** `npm run lab -- screenshots`: the walk through every screen, into the ignored folder `screenshots/`. */
export default {
  ...shared,
  testDir: '.',
  globalSetup: '../../e2e/global-setup.ts',
  outputDir: '../../test-results/screenshots',
  // A walk that a busy machine made too slow is repeated once.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
}
