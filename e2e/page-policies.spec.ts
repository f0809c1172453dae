import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { BEHIND_LOGIN, OUTSIDE_LIVE_MODE } from '#site-map.ts'
import { expect, test } from './site.ts'

/** csp_evaluator warns about JSONP and uploaded files on our own origin. We have neither. */
const ACCEPTED: readonly string[] = ["script-src 'self'", "default-src 'self'"]

const findings = (policy: string) =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => severity !== Severity.INFO)
    .map(({ directive, value, description }) => ({ directiveValue: `${directive} ${value}`, description }))
    .filter(({ directiveValue }) => !ACCEPTED.includes(directiveValue))

test('csp_evaluator reports no problem with the policy of any page', async ({ site }) => {
  const member = await site.member({ health: true })
  const visits = [
    ...['/', '/pricing', '/blog', '/auth', '/nothing', '/api/packages'].map((path) => ({ path, who: undefined })),
    ...[...BEHIND_LOGIN, ...OUTSIDE_LIVE_MODE].map((path) => ({ path, who: member })),
    ...['/admin', '/api/docs'].map((path) => ({ path, who: 'admin' as const })),
  ]
  for (const { path, who } of visits) {
    const person = who === 'admin' ? await site.admin() : who
    const cookie = [...(person?.cookies ?? [])].map((pair) => pair.join('=')).join('; ')
    const { headers } = await fetch(site.origin + path, { headers: { cookie } })
    expect([path, findings(headers.get('content-security-policy') ?? '')]).toEqual([path, []])
  }
})
