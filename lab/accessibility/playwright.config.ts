import config from '../../playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/** `npm run lab -- accessibility`: the walk through every screen with three checkers, into `test-results/accessibility`. */
export default {
  ...shared,
  testDir: '.',
  globalSetup: '../../e2e/global-setup.ts',
  outputDir: '../../test-results/accessibility-walk',
  fullyParallel: true,
  timeout: 300_000,
  retries: 1,
  reporter: [['line']],
}
