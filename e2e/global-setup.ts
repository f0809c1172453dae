import setup from '../src/testing/global-setup.ts'

/** One PostgreSQL for all browser tests; each worker's server takes a copy of the migrated template. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  return await setup({
    provide: (_key, url) => {
      process.env.BROWSER_TESTS_DATABASE_SERVER = url
    },
  })
}
