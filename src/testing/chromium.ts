import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** A browser for Playwright's `launchOptions`, and where it came from. */
export type Browser = { executablePath: string; args: string[]; env: Record<string, string>; from: string }

/** Works as root and in a container, and keeps the browser from calling anyone. Web security stays on. */
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
 * Finds a browser: $CHROME_PATH, a Chromium or Chrome of this machine, the one in @sparticuz/chromium (unpacked once
 * for all workers), the one that `playwright install` fetched.
 *
 * @throws with a sentence that says what to install when there is none
 */
export async function findChromium(): Promise<Browser> {
  const wanted = process.env.CHROME_PATH
  if (wanted) {
    if (!existsSync(wanted)) throw new Error(`CHROME_PATH names ${wanted}, which is not there.`)
    return withArgs(wanted, 'CHROME_PATH')
  }
  const installed = systemCandidates().find((candidate) => answers(candidate))
  if (installed) return withArgs(installed, 'this machine')
  if (process.platform === 'linux' && process.arch === 'x64') {
    const unpacked = await unpack()
    if (answers(unpacked.executablePath, unpacked.env)) return unpacked
  }
  const { chromium } = await import('@playwright/test')
  if (existsSync(chromium.executablePath())) return withArgs(chromium.executablePath(), 'playwright install')
  throw new Error(
    'No browser was found for the browser tests. Install Chromium or Chrome, name one in CHROME_PATH, or run: ' +
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

/** A program that is there may still be a snap's stand-in, or lack libraries. On Windows asking would open a window. */
function answers(executablePath: string, env: NodeJS.ProcessEnv = process.env): boolean {
  if (!existsSync(executablePath)) return false
  if (process.platform === 'win32') return true
  const { status, stdout } = spawnSync(executablePath, ['--version'], { env, encoding: 'utf8', timeout: 20_000 })
  return status === 0 && /chrom/i.test(stdout)
}

/**
 * Unpacks the browser out of @sparticuz/chromium into node_modules/.cache, together with the libraries and the fonts
 * that a bare machine lacks.
 *
 * The package unpacks into the temporary folder, in place, so that a second worker would start a half-written binary.
 * Here that folder is a draft of its own, renamed when whole; of two at once the second throws its own away.
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

/** In a process of its own, because the package takes its folder and what to unpack from the environment. */
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

// npm test runs this file before the workers start, so that the unpacking and a missing browser are told once.
if (import.meta.main) {
  try {
    const { executablePath, from } = await findChromium()
    console.log(`The browser is ${executablePath} (from ${from}).`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
