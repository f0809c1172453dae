import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { npm } from './install.mjs'
import { Failure, readJson } from './project.mjs'

const MAX_OUTPUT_BYTES = 50_000_000

/** @typedef {{ 'bom-ref': string, name: string, version: string }} Component */
/**
 * @typedef {{
 *   bomFormat: string, metadata: { component: Component }, components: Component[],
 *   dependencies: { ref: string, dependsOn?: string[] }[]
 * }} Sbom
 */

/**
 * Writes a CycloneDX list of the packages installed in a folder: npm's list from the lock file, without packages for
 * other systems. (`npm sbom` of installed packages fails when dev dependencies are missing.)
 * @param {string} folder with its lock file and node_modules @param {string} file
 * @returns {Promise<number>} the number of packages
 */
export async function writeSbom(folder, file) {
  const [command, ...before] = npm()
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--package-lock-only']
  try {
    const { stdout } = await promisify(execFile)(command, [...before, ...args], {
      cwd: folder,
      maxBuffer: MAX_OUTPUT_BYTES,
    })
    const sbom = installedIn(folder, JSON.parse(stdout))
    if (sbom.bomFormat !== 'CycloneDX' || sbom.components.length === 0) throw new Error('it lists nothing')
    writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
    return sbom.components.length
  } catch (error) {
    throw new Failure(`npm could not list the packages of the release (npm sbom, from npm 10 on): ${error}`)
  }
}

/** @param {string} folder @param {Sbom} sbom @returns {Sbom} */
function installedIn(folder, sbom) {
  /** @type {Record<string, { version: string }>} */
  const locked = readJson(path.join(folder, 'package-lock.json')).packages
  const installed = new Set(
    Object.entries(locked)
      .filter(([place]) => place !== '' && existsSync(path.join(folder, place)))
      .map(([place, { version }]) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`),
  )
  const components = sbom.components.filter(({ name, version }) => installed.has(`${name}@${version}`))
  const kept = new Set([sbom.metadata.component, ...components].map((component) => component['bom-ref']))
  const dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
  return { ...sbom, components, dependencies }
}
