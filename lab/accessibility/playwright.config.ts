import config from '../../playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/**
 * `npm run lab -- accessibility`: the walk through every screen with three checkers, into `test-results/accessibility`.
 */
export default {
  ...shared,
  testDir: '.',
  // Alfa keeps up to 1 GB for each worker.
  workers: 2,
  globalSetup: '../../e2e/global-setup.ts',
  outputDir: '../../test-results/accessibility-walk',
  fullyParallel: true,
  // A walk takes about 5 seconds a screen, and three times that on a busy machine. A scene that hangs fails soon and is
  // repeated once.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  retries: 1,
  // Prints each screen.
  reporter: [['list', { printSteps: true }]],
}
