// npm run lab -- validate-html: checks the HTML of every page and screen with the Nu validator, which needs Java.
//   npm run lab -- validate-html -g checkout    only screens with 'checkout' in their name
// Fails on any error or warning that is not accepted below.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { ensureBrowser } from '../scripts/lib/browser.mjs'
import { ensureBuilt } from '../scripts/lib/build.mjs'
import { ensureInstalled, ensureTools } from '../scripts/lib/install.mjs'
import { run } from '../scripts/lib/processes.mjs'
import { Failure, inProject, print, script } from '../scripts/lib/project.mjs'
import { environment } from '../scripts/lib/runtime.mjs'

const VALIDATOR = inProject('lab/tools/node_modules/vnu-jar/build/dist/vnu.jar')
const PAGES = inProject('test-results/html')

/**
 * Accepted findings: the message, on which pages, and why.
 * @type {{ message: RegExp, on?: RegExp, why: string }[]}
 */
const ACCEPTED = [
  {
    message: /^CSS: /,
    why: 'Tailwind writes it; the validator knows older CSS only',
  },
  {
    message: /^Attribute “(width|height|x|y|name|orientation)” not allowed on element “(div|line|path|text)”/,
    on: /admin-analytics/,
    why: 'Recharts passes its props on to elements; browsers ignore them',
  },
  {
    message: /“role” attribute must not be used on a “td” element/,
    on: /admin-/,
    why: 'react-day-picker: it gives the cells of a grid their role twice',
  },
  { message: /“type” attribute for the “style” element is not needed/, why: 'added by Radix while a dialog is open' },
  {
    message: /“aria-hidden” attribute must not be specified on the “noscript” element/,
    on: /dialog/,
    why: 'Radix hides everything behind a dialog; noscript is empty by then',
  },
  {
    message: /none of them has a computed heading level of 1/,
    on: /^sent\/|loading/,
    why: 'the shell of a page behind the login has no heading until the browser fills it',
  },
]

/** @typedef {{ type: string, subType?: string, url: string, message: string, extract?: string }} Finding */

await script(async () => {
  if (spawnSync('java', ['-version']).status !== 0) {
    throw new Failure('The validator needs Java (Debian: apt install default-jre-headless).')
  }
  const node = await ensureInstalled()
  const env = environment(node)
  await ensureBuilt(node)
  await ensureBrowser(node, env)
  await ensureTools()
  rmSync(PAGES, { recursive: true, force: true })
  const playwright = inProject('node_modules/@playwright/test/cli.js')
  const config = inProject('lab/validate-html/playwright.config.ts')
  const measureVisit = await run(node, [playwright, 'test', '--config', config, ...process.argv.slice(2)], { env })
  if (measureVisit !== 0) return measureVisit
  const findings = validate()
  const left = findings.filter((finding) => !isAccepted(finding))
  for (const text of inWords(left)) print(text)
  const accepted = findings.length - left.length
  print(`${left.length === 0 ? 'Every page is valid' : `${left.length} findings`}; ${accepted} accepted.`)
  return left.length === 0 ? 0 : 1
})

/** @param {Finding} finding */
function pageOf({ url }) {
  return path.relative(PAGES, decodeURIComponent(new URL(url).pathname))
}

/** @param {Finding} finding */
function isAccepted(finding) {
  return ACCEPTED.some(({ message, on }) => message.test(finding.message) && (!on || on.test(pageOf(finding))))
}

/** Errors and warnings, without remarks (React closes `<br/>`). @returns {Finding[]} */
function validate() {
  const args = ['-Xss2m', '-jar', VALIDATOR, '--format', 'json', '--stdout', '--exit-zero-always', PAGES]
  const { status, stdout, stderr } = spawnSync('java', args, { encoding: 'utf8', maxBuffer: 500_000_000 })
  if (status !== 0) throw new Failure(`The validator failed:\n${stderr}`)
  /** @type {Finding[]} */
  const messages = JSON.parse(stdout).messages
  return messages.filter(({ type, subType }) => type !== 'info' || subType === 'warning')
}

/**
 * Each kind of finding once, with its pages.
 * @param {Finding[]} findings
 */
function inWords(findings) {
  /** @type {Map<string, { extract: string, pages: Set<string> }>} */
  const kinds = new Map()
  for (const finding of findings) {
    const { type, subType, message, extract = '' } = finding
    const kind = `${subType ?? type}: ${message}`
    const known = kinds.get(kind) ?? { extract: extract.trim(), pages: new Set() }
    known.pages.add(pageOf(finding))
    kinds.set(kind, known)
  }
  return [...kinds].map(([kind, { extract, pages }]) => {
    const some = [...pages].slice(0, 3).join(', ')
    return `${kind}\n    ${extract}\n    in ${some}${pages.size > 3 ? ` and ${pages.size - 3} more` : ''}`
  })
}
