// A process for tests: owns the database of a folder until it is killed or stopped.
import { startEmbeddedPostgres } from '../embedded-postgres.ts'

const [dataDir, ownerLabel, waitForOwnerMs] = process.argv.slice(2)

try {
  const database = await startEmbeddedPostgres({
    dataDir: dataDir ?? '',
    ownerLabel: ownerLabel ?? '',
    waitForOwnerMs: Number(waitForOwnerMs),
    forTests: true,
    print: (sentence) => console.log(JSON.stringify({ sentence })),
  })
  console.log(JSON.stringify({ url: database.url }))
  process.once('SIGTERM', () => database.stop())
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }))
}
