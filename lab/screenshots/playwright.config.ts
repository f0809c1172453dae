import config from '../../playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/** `npm run lab -- screenshots`: the walk through every screen, into the ignored folder `screenshots/`. */
export default {
  ...shared,
  testDir: '.',
  globalSetup: '../../e2e/global-setup.ts',
  outputDir: '../../test-results/screenshots',
  // A file is a site, and its walks go on from what those before have left there.
  fullyParallel: false,
  // Nothing is judged here: a walk that a busy machine made too slow is taken once more, and named at the end as flaky. One that
  // fails twice is a fault, and the command says so.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
}
