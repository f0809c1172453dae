// npm run lab -- accessibility: axe, Siteimprove Alfa and IBM's checker on every screen, with WCAG 2.2 A and AA.
//   npm run lab -- accessibility -g checkout    only screens with 'checkout' in their name
//   npm run lab -- accessibility --last-failed  only walks that could not be finished, added to the others' results
// Fails on a violation, on a walk that could not be finished, and on a check that a checker cannot decide and that
// lab/accessibility/answers.json does not answer. The findings of finished screens are reported in any case.
// AAA and best practice are counted only.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, ensureTools } from '../scripts/lib/install.mjs'
import { inProject, print, readJson, script } from '../scripts/lib/project.mjs'
import { walk } from './lib/playwright.mjs'

const RESULTS = inProject('test-results/accessibility')

/**
 * @typedef {{
 *   engine: string, rule: string, kind: 'fails' | 'unsure' | 'advice', what: string, where: string, screen: string
 * }} Finding
 */
/** A person's answer to what a checker cannot decide; `where`: a pattern, if it is not for every element. */
/** @typedef {{ engine: string, rule: string, where?: string, answer: string }} Answer */

await script(async () => {
  await ensureInstalled()
  await ensureTools('lab/accessibility')
  if (!process.argv.includes('--last-failed')) rmSync(RESULTS, { recursive: true, force: true })
  const walked = await walk('accessibility', process.argv.slice(2))
  const { screens, findings } = read()
  /** @type {Answer[]} */
  const answers = readJson(inProject('lab/accessibility/answers.json')) ?? []
  const fails = findings.filter(({ kind }) => kind === 'fails')
  const unsure = findings.filter(({ kind }) => kind === 'unsure')
  const open = unsure.filter((finding) => !answers.some((answer) => isAbout(answer, finding)))
  report('Violations of A and AA', fails)
  report('Not decided by the checker, and not answered', open)
  report(
    'AAA and best practice',
    findings.filter(({ kind }) => kind === 'advice'),
    { isShort: true },
  )
  print(
    `${screens} screens: ${fails.length} violations of A and AA; ${unsure.length} checks for a person, ${open.length} of them open.`,
  )
  if (walked !== 0) print('Some walks could not be finished; they are named above.')
  return fails.length + open.length === 0 ? walked : 1
})

/** @param {Answer} answer @param {Finding} finding */
function isAbout({ engine, rule, where }, finding) {
  return engine === finding.engine && rule === finding.rule && (!where || new RegExp(where).test(finding.where))
}

function read() {
  const files = existsSync(RESULTS) ? readdirSync(RESULTS) : []
  /** @type {Finding[]} */
  const findings = files.flatMap((file) => {
    /** @type {{ name: string, findings: Omit<Finding, 'screen'>[] }} */
    const { name, findings } = JSON.parse(readFileSync(path.join(RESULTS, file), 'utf8'))
    return findings.map((finding) => ({ ...finding, screen: name }))
  })
  return { screens: files.length, findings }
}

/**
 * Each rule once, with its elements and screens.
 * @param {string} title
 * @param {Finding[]} findings
 */
function report(title, findings, { isShort = false } = {}) {
  if (findings.length === 0) return
  print(`\n${title}`)
  const byRule = Object.groupBy(findings, ({ engine, rule }) => `${engine} ${rule}`)
  for (const [rule, some = []] of Object.entries(byRule)) {
    const screens = new Set(some.map(({ screen }) => screen))
    print(`  ${rule}: ${some[0]?.what} (${some.length} times on ${screens.size} screens)`)
    if (isShort) continue
    for (const where of [...new Set(some.map(({ where }) => where))].slice(0, 8)) print(`      ${where}`)
    print(`      on ${[...screens].slice(0, 5).join('; ')}`)
  }
}
