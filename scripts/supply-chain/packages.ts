import { readFile } from 'node:fs/promises'
import { LICENCE_OVERRIDES } from './known.ts'

/** A package in the lock file. */
export type Locked = {
  name: string
  version: string
  /** An SPDX expression, or undefined. */
  licence: string | undefined
  /** Not a dev dependency. */
  isReleased: boolean
  hasInstallScript: boolean
}

type LockFile = {
  packages: Record<string, { version: string; license?: string; dev?: true; hasInstallScript?: true }>
}

/** The packages of a lock file, sorted by name and version. */
export async function lockedPackages(file: string): Promise<Locked[]> {
  const { packages }: LockFile = JSON.parse(await readFile(file, 'utf8'))
  const found = new Map<string, Locked>()
  for (const [place, { version, license, dev, hasInstallScript }] of Object.entries(packages)) {
    if (place === '') continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const key = `${name}@${version}`
    const isReleased = !dev || (found.get(key)?.isReleased ?? false)
    found.set(key, {
      name,
      version,
      licence: license ?? LICENCE_OVERRIDES[name],
      isReleased,
      hasInstallScript: Boolean(hasInstallScript),
    })
  }
  return [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

/** The licences in an SPDX expression such as `(MIT OR CC0-1.0)`. */
export const licencesIn = (expression: string) => expression.replace(/[()]/g, '').split(/ (?:AND|OR) /)
