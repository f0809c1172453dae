import { PERMISSIVE, TOOLS_ONLY } from '../../scripts/supply-chain/known.ts'
import type { Locked } from '../../scripts/supply-chain/packages.ts'

const HEAD = `# Licences

Made by \`npm run lab -- licences\` from package-lock.json. Each package's own licence text is next to it in node_modules, in a
release too.
`

/** Every locked package by licence, as Markdown. */
export function licencesPage(packages: readonly Locked[]): string {
  const [released, others] = [packages.filter((one) => one.isReleased), packages.filter((one) => !one.isReleased)]
  return [
    HEAD,
    `## In a release (${released.length})\n`,
    'All of them permissive: they ask for no more than to be named.\n',
    ...byLicence(released),
    `## For building, testing and measuring only (${others.length})\n`,
    'Pages hold code of some of them (React, Radix, Recharts, TanStack Query and what they stand on): all of that is permissive, too.\n',
    ...byLicence(others),
    '## Others than permissive\n',
    ...Object.entries(TOOLS_ONLY).map(([licence, { why }]) => `- **${licence}**: ${why}`),
    '',
    `Permissive here are ${PERMISSIVE.join(', ')}.`,
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
