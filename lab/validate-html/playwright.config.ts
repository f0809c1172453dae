import config from '../../playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/** `npm run lab -- validate-html`: the walk through every screen, whose HTML goes into `test-results/html`. */
export default {
  ...shared,
  testDir: '.',
  globalSetup: '../../e2e/global-setup.ts',
  outputDir: '../../test-results/html-walk',
  fullyParallel: true,
  reporter: [['line']],
}
