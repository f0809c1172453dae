import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js'
import { Severity } from 'csp_evaluator/dist/finding.js'
import { CspParser } from 'csp_evaluator/dist/parser.js'
import type { AttentionItem } from '#attention/contract.ts'
import { BEHIND_LOGIN, OUTSIDE_LIVE_MODE } from '#site-map.ts'
import { callApi, expect, signIn, test } from './site.ts'

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

test('browsers report what a member’s page may not load, and the owner sees it', async ({ page, site }) => {
  await signIn(page, await site.member({}))
  // A browser reports the same violation once a visit.
  for (let i = 0; i < 10; i++) {
    await page.goto('/health')
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'document.title = "hijacked"'
      document.body.append(script)
    })
  }
  await expect(page).not.toHaveTitle('hijacked')
  const admin = await site.admin()
  const blocked = async () => {
    const items: AttentionItem[] = await callApi(admin, 'GET', '/api/admin/attention')
    return items.filter(({ kind }) => kind === 'scripts_blocked')
  }
  await expect.poll(blocked).toMatchObject([{ about: '/health script-src-elem inline' }])
})
