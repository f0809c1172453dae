import config from './playwright.config.ts'

const { projects: _ofTheTests, ...shared } = config

/** `npm run validate-html`: the walk through every screen, whose HTML goes into `test-results/html`. */
export default {
  ...shared,
  testDir: 'e2e/html',
  outputDir: 'test-results/html-walk',
  reporter: [['line']],
}
