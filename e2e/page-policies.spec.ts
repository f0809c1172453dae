import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import { BEHIND_LOGIN, OUTSIDE_LIVE_MODE } from '#site-map.ts'
import { expect, test } from './site.ts'

/**
 * What Google's evaluator asks back where it cannot know: files of one's own may hold JSONP or uploads. There are none here:
 * what is served is the build's list, and no answer of the API is script.
 */
const JUDGED: readonly string[] = ["script-src 'self'", "default-src 'self'"]

const found = (policy: string) =>
  new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => severity !== Severity.INFO)
    .map(({ directive, value, description }) => ({ what: `${directive} ${value}`, description }))
    .filter(({ what }) => !JUDGED.includes(what))

test('csp_evaluator has nothing against the policy of any kind of page', async ({ site }) => {
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
    expect([path, found(headers.get('content-security-policy') ?? '')]).toEqual([path, []])
  }
})

test('and would have: scripts inline, from anywhere, evaluated or without a limit', () => {
  for (const scripts of ["'unsafe-inline'", 'https:', '*', "'unsafe-eval'", 'https://www.google.com'])
    expect(found(`default-src 'self'; script-src 'self' ${scripts}; object-src 'none'`), scripts).not.toEqual([])
  expect(found("img-src 'self'")).not.toEqual([])
})
