// npm run lab -- licences: prints every locked package by licence.
import { PERMISSIVE, TOOLS_ONLY } from '../scripts/supply-chain/known.ts'
import { type Locked, lockedPackages } from '../scripts/supply-chain/packages.ts'

const HEAD = `# Licences

Made by \`npm run lab -- licences\` from package-lock.json. Each package's licence text is in its folder in node_modules.
`

function licencesPage(packages: readonly Locked[]): string {
  const [released, others] = [packages.filter((one) => one.isReleased), packages.filter((one) => !one.isReleased)]
  return [
    HEAD,
    `## In a release (${released.length})\n`,
    'All of them are permissive.\n',
    ...byLicence(released),
    `## For building, testing and measuring only (${others.length})\n`,
    'Pages contain code of some of them (React, Radix, TanStack Query and their dependencies), all permissive.\n',
    ...byLicence(others),
    '## Not permissive\n',
    ...Object.entries(TOOLS_ONLY).map(([licence, { why }]) => `- **${licence}**: ${why}`),
    '',
    `Permissive licences: ${PERMISSIVE.join(', ')}.`,
    '',
  ].join('\n')
}

function byLicence(packages: readonly Locked[]): string[] {
  const groups = Map.groupBy(packages, ({ licence }) => licence ?? 'unknown')
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, some]) => {
      const names = some.map(({ name, version }) => `${name} ${version}`).join(', ')
      return `**${licence}** (${some.length}): ${names}\n`
    })
}

console.log(licencesPage(await lockedPackages('package-lock.json')))
