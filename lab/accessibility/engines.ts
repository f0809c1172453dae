import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

type Engine = 'axe' | 'alfa' | 'ibm'
/** `fails` and `unsure` are about WCAG 2.2 A and AA; `advice` is AAA and best practice. */
export type Finding = { engine: Engine; rule: string; kind: 'fails' | 'unsure' | 'advice'; what: string; where: string }

const MODULES = join(import.meta.dirname, 'node_modules')
const AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

function kindOf({ isRequired, isCertain }: { isRequired: boolean; isCertain: boolean }): Finding['kind'] {
  if (!isRequired) return 'advice'
  return isCertain ? 'fails' : 'unsure'
}

export async function askAxe(page: Page): Promise<Finding[]> {
  const tags = [...AA, 'wcag2aaa', 'best-practice']
  // WCAG 2.2 AA's target size is off by default, and enhanced contrast is AAA.
  const rules = { 'target-size': { enabled: true }, 'color-contrast-enhanced': { enabled: true } }
  const { violations, incomplete } = await new AxeBuilder({ page })
    .options({
      runOnly: { type: 'tag', values: tags },
      rules,
      resultTypes: ['violations', 'incomplete'],
      preload: false,
    })
    .setLegacyMode(true)
    .analyze()
  const found = (results: typeof violations, kind: 'fails' | 'unsure') =>
    results.flatMap(({ id, help, tags, nodes }) =>
      nodes.map(({ target }) => ({
        engine: 'axe' as const,
        rule: id,
        kind: tags.some((tag) => AA.includes(tag)) ? kind : ('advice' as const),
        what: help,
        where: target.join(' '),
      })),
    )
  return [...found(violations, 'fails'), ...found(incomplete, 'unsure')]
}

/** Alfa's packages are installed for this measurement alone, so the compiler does not know them. */
const alfa = async (name: string) =>
  await import(pathToFileURL(join(MODULES, '@siteimprove', name, 'dist/index.js')).href)

type AlfaRule = { uri: string; requirements: Iterable<unknown> }
type AlfaOutcome = {
  rule: AlfaRule
  target?: { toString(): string }
  toJSON(): { outcome: 'passed' | 'failed' | 'cantTell' | 'inapplicable' }
}

/** Alfa takes an open menu for covered by what is below it, as it does not know the top layer. */
const TARGET_SIZE = 'sia-r113'

export async function askAlfa(page: Page): Promise<Finding[]> {
  const [{ Audit }, { default: rules }, { Playwright }, { Conformance, Criterion }] = await Promise.all(
    ['alfa-act', 'alfa-rules', 'alfa-playwright', 'alfa-wcag'].map(alfa),
  )
  const isAA = Conformance.isAA()
  const isOfAA = ({ requirements }: AlfaRule) =>
    [...requirements].some((requirement) => Criterion.isCriterion(requirement) && isAA(requirement))
  const studied = await Playwright.toPage(await page.evaluateHandle(() => window.document))
  const outcomes: Iterable<AlfaOutcome> = await Audit.of(studied, rules).evaluate()
  return [...outcomes].flatMap((one) => {
    const { outcome } = one.toJSON()
    if (outcome !== 'failed' && outcome !== 'cantTell') return []
    const rule = one.rule.uri.split('/').pop() ?? ''
    const kind = kindOf({ isRequired: isOfAA(one.rule), isCertain: outcome === 'failed' && rule !== TARGET_SIZE })
    const where = String(one.target ?? '')
      .replace(/\s+/g, ' ')
      .slice(0, 200)
    return [{ engine: 'alfa', rule, kind, what: one.rule.uri, where }] as const
  })
}

type IbmReport = {
  results: {
    ruleId: string
    reasonId: string
    value: [level: string, answer: string]
    message: string
    snippet: string
  }[]
}

export async function askIbm(page: Page): Promise<Finding[]> {
  const source = await readFile(join(MODULES, 'accessibility-checker-engine/ace.js'), 'utf8')
  if (!(await page.evaluate(() => 'ace' in window))) await page.evaluate(`${source}; window.ace = ace`)
  // It takes text that is clipped by `clip-path` for hidden, but screen readers read it. It checks what a closed
  // disclosure hides, too.
  await page.evaluate(() => {
    const style = new CSSStyleSheet()
    style.replaceSync('[class*=sr-only], [class*=sr-only] label { clip-path: none !important }')
    document.adoptedStyleSheets = [style]
  })
  const { results }: IbmReport = await page.evaluate(`
    new ace.Checker().check(document, ['WCAG_2_2']).then(({ results }) => ({ results: results.filter(
      ({ node }) => !node?.parentElement?.closest('details:not([open]) > :not(summary)')).map(
      ({ ruleId, reasonId, value, message, snippet }) => ({ ruleId, reasonId, value, message, snippet })) }))`)
  return results.flatMap(({ ruleId, reasonId, value: [level, answer], message, snippet }) => {
    if (answer === 'PASS') return []
    const kind = kindOf({ isRequired: level === 'VIOLATION', isCertain: answer === 'FAIL' })
    return [
      {
        engine: 'ibm' as const,
        rule: `${ruleId}:${reasonId}`,
        kind,
        what: message,
        where: snippet.slice(0, 200),
      } as const,
    ]
  })
}
