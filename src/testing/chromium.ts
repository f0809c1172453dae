import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** For Playwright's `launchOptions`. */
export type Browser = { executablePath: string; args: string[]; env: Record<string, string>; from: string }

/** For root and containers, and without background network traffic. Web security stays on. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage', // a container's /dev/shm is often too small for a page
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const modules = path.join(import.meta.dirname, '../../node_modules')

/**
 * Finds a browser: $CHROME_PATH, a Chromium or Chrome on this machine, the one in @sparticuz/chromium (unpacked once
 * for all workers), or Playwright's own.
 *
 * @throws with instructions if there is none
 */
export async function findChromium(): Promise<Browser> {
  const wanted = process.env.CHROME_PATH
  if (wanted) {
    if (!existsSync(wanted)) throw new Error(`CHROME_PATH is ${wanted}, which does not exist.`)
    return withArgs(wanted, 'CHROME_PATH')
  }
  const installed = systemCandidates().find((candidate) => canStart(candidate))
  if (installed) return withArgs(installed, 'this machine')
  if (process.platform === 'linux' && process.arch === 'x64') {
    const unpacked = await unpack()
    if (canStart(unpacked.executablePath, unpacked.env)) return unpacked
  }
  const { chromium } = await import('@playwright/test')
  if (existsSync(chromium.executablePath())) return withArgs(chromium.executablePath(), 'playwright install')
  throw new Error(
    'No browser found for the browser tests. Install Chromium or Chrome, set CHROME_PATH, or run: ' +
      'npx playwright install --with-deps chromium',
  )
}

function withArgs(executablePath: string, from: string, more: Record<string, string> = {}): Browser {
  return { executablePath, args: ARGS, env: { ...ownEnvironment(), ...more }, from }
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

function systemCandidates(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'].map((app) =>
      path.join('/Applications', app),
    )
  }
  if (process.platform === 'win32') {
    return [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .map((folder) => path.join(folder, 'Google/Chrome/Application/chrome.exe'))
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)))
}

/** An existing program may be a snap's placeholder, or lack libraries. On Windows the check would open a window. */
function canStart(executablePath: string, env: NodeJS.ProcessEnv = process.env): boolean {
  if (!existsSync(executablePath)) return false
  if (process.platform === 'win32') return true
  const { status, stdout } = spawnSync(executablePath, ['--version'], { env, encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /chrom/i.test(stdout)
}

/**
 * Unpacks the browser of @sparticuz/chromium with its libraries and fonts into node_modules/.cache. The package unpacks
 * in place, where another worker could start a half-written binary; so here it unpacks into a draft folder, which is
 * renamed.
 */
async function unpack(): Promise<Browser> {
  const home = path.dirname(path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
  const cache = path.join(modules, '.cache')
  const folder = path.join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const draft = await mkdtemp(`${folder}.new-`)
    try {
      await unpackInto(draft)
      await rename(draft, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
    for (const name of await readdir(cache)) {
      if (name.startsWith('chromium-') && !name.startsWith(`chromium-${version}`)) {
        await rm(path.join(cache, name), { recursive: true, force: true })
      }
    }
  }
  const libraries = [path.join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  return withArgs(path.join(folder, 'chromium'), '@sparticuz/chromium', {
    LD_LIBRARY_PATH: libraries,
    FONTCONFIG_PATH: path.join(folder, 'fonts'),
  })
}

/** In a separate process, because the package reads its settings from the environment. */
async function unpackInto(folder: string) {
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: path.dirname(modules),
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The browser in @sparticuz/chromium could not be unpacked: ${stderr.trim()}`)
  // The package's own fonts.conf looks in /tmp/fonts.
  await writeFile(
    path.join(folder, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${path.join(modules, '.cache', 'fontconfig')}</cachedir>
</fontconfig>
`,
  )
}

// npm test runs this file before the workers, so that unpacking and a missing browser are reported once.
if (import.meta.main) {
  try {
    const { executablePath, from } = await findChromium()
    console.log(`The browser is ${executablePath} (from ${from}).`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
