import { describe, expect, test } from 'vitest'
import { advanceClock, codeOf, submitSecondStep, submitStepUp } from '#accounts/server/factors/factors-under-test.ts'
import { all, keptBy } from '#app/every-endpoint/endpoints-under-test.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { callWith, otherSpellingsOf } from './callers.ts'
import { beforeSecondStep, openGuarded } from './guarded-studio.ts'

describe('step-up', () => {
  const guarded = all.filter(([, { stepUpAfterMinutes }]) => stepUpAfterMinutes !== undefined)

  test.each(guarded)(
    '%s: refuses a session that needs step-up, whatever the request claims',
    async (name, endpoint) => {
      const { studio, ana, dora, secret } = await openGuarded()
      const used = codeOf(studio, secret)
      advanceClock(studio, 31 * 60)
      const thief = studio.visitor('Thief')
      thief.copyCookiesOf(dora)
      // The last use of a session is recorded after a response, every five minutes.
      await thief.request('GET', '/api/auth/user')
      const isUsed = 'select count(*) from sessions where last_used_at = $1'
      const now = studio.clock.now().toString()
      await expect.poll(() => studio.count(isUsed, [now]), { timeout: 10_000 }).toBe(1)
      const readEverything = keptBy({ studio })
      const before = await readEverything()
      const expectStepUp = (response: { status: number; body: unknown }) =>
        expect(response).toMatchObject({
          status: 403,
          body: { stepUp: true, message: commonRefusals.step_up_required.message },
        })
      const claims: Record<string, string>[] = [
        {},
        { 'x-http-method-override': 'GET', 'x-method-override': 'GET' },
        { 'x-original-url': '/api/packages', 'x-rewrite-url': '/api/packages' },
        { 'x-step-up': 'true', 'step-up': 'done', stepup: '1', authorization: `Bearer ${used}` },
        { 'idempotency-key': crypto.randomUUID() },
      ]
      for (const headers of claims)
        for (const id of [undefined, '1', ana.id]) expectStepUp(await callWith(thief, name, endpoint, id, headers))
      const path = endpoint.path.replace(/:\w+/g, ana.id)
      const body = endpoint.method === 'GET' ? undefined : {}
      for (const query of ['stepUp=true', 'confirmed=1', `code=${used}`, '_method=GET', 'all=true'])
        expectStepUp(await thief.request(endpoint.method, `${path}?${query}`, body))
      for (const other of otherSpellingsOf(path)) {
        const { status } = await thief.request(endpoint.method, other, body)
        expect([other, [403, 404].includes(status)]).toEqual([other, true])
      }
      // A used code, the password or nothing is no proof.
      expect((await submitStepUp(thief, { code: used })).status).toBe(400)
      expect((await submitStepUp(thief, { password: dora.password })).status).toBe(400)
      expect((await submitStepUp(thief, {})).status).toBe(400)
      expectStepUp(await callWith(thief, name, endpoint))
      expect(await readEverything()).toBe(before)
    },
  )

  test('a proof counts for its own session only', async () => {
    const { studio, ana, dora, secret } = await openGuarded()
    const laptop = await beforeSecondStep(studio, dora, 'Laptop')
    expect((await submitSecondStep(laptop, { code: codeOf(studio, secret) })).status).toBe(200)
    advanceClock(studio, 31 * 60)
    expect((await submitStepUp(laptop, { code: codeOf(studio, secret) })).status).toBe(200)
    const read = (who: Person) => who.request('GET', `/api/admin/users/${ana.id}/health`)
    expect((await read(laptop)).status).toBe(200)
    expect(await read(dora)).toBeRefused(commonRefusals.step_up_required)
  })

  test('an edit needs step-up for a sensitive field, whatever else it contains', async () => {
    const { studio, ana, boris, dora } = await openGuarded()
    advanceClock(studio, 31 * 60)
    const edit = (id: string, body: object) => dora.request('PUT', `/api/admin/users/${id}`, body)
    for (const [id, body] of [
      [ana.id, { isAdmin: true }],
      [ana.id, { isAdmin: true, firstName: 'Ana', email: ana.email }],
      [ana.id, { email: 'thief@people.example' }],
      [ana.id, { email: ` ${'thief@people.example'} `, isAdmin: false }],
      [dora.id, { isAdmin: false }],
      [boris.id, { isAdmin: true, ifUpdatedAt: null }],
    ] as const)
      expect(await edit(id, body)).toBeRefused(commonRefusals.step_up_required)
    const changed = "select count(*) from users where email like 'thief%' or (is_admin and id <> $1)"
    expect(await studio.count(changed, [dora.id])).toBe(0)
  })
})
