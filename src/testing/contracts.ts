import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Endpoint } from '#foundation/endpoint.ts'

const SRC = join(import.meta.dirname, '..')

/** Every endpoint of every part's contract by its export: `booking.bookClass`. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  (
    await Promise.all(
      readdirSync(SRC, { recursive: true, encoding: 'utf8' })
        .filter((file) => /^\w+[\\/]contract(-\w+)?\.ts$/.test(file))
        .map(async (file) => {
          const part = dirname(file)
          const exported: Record<string, unknown> = await import(`../${part}/${basename(file, '.ts')}.ts`)
          return Object.entries(exported).flatMap(([name, value]) =>
            isEndpoint(value) ? [[`${part}.${name}`, value] as const] : [],
          )
        }),
    )
  ).flat(),
)

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'who' in value
}
