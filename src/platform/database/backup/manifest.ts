import { z } from 'zod'

/** Counts up when a program that knows the earlier format could not read the file. */
export const FORMAT = 1

const Digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What a table's text is: its rows, its bytes and their SHA-256. */
export const TableSum = z.object({ columns: z.array(z.string()), rows: z.int(), bytes: z.int(), sha256: Digest })
export type TableSum = z.output<typeof TableSum>

/** What stands in a backup of any format, so that a newer one can be named. */
export const AnyManifest = z.object({ format: z.int(), application: z.string() })

/** The last entry of a backup: what it is and what must come out of it. */
export const Manifest = AnyManifest.extend({
  format: z.literal(FORMAT),
  /** The moment that the data shows. */
  takenAt: z.string(),
  /** The server's version, as it says it. */
  postgres: z.string(),
  /** Those that had run, in their order: they make the tables that the data fits. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.record(z.string(), TableSum),
  /** The last number each gave; null: none. */
  sequences: z.record(z.string(), z.int().nullable()),
  /** What must add up, in words, and what it was. */
  sums: z.record(z.string(), z.string()),
  holdsSecrets: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>
