import { askedOnce } from '../asked-once.ts'
import type { Readiness } from '../http/health-checks.ts'
import type { Reader } from './database.ts'
import { isMigrated } from './migrate.ts'

/**
 * Whether the database answers and knows every migration of this code. Nothing else is asked, and however many ask at
 * once, the database is asked once.
 */
export function databaseReadiness(db: Reader): () => Promise<Readiness> {
  return askedOnce(async () => {
    try {
      return (await isMigrated(db)) ? 'ready' : 'not migrated'
    } catch {
      return 'no database'
    }
  })
}
