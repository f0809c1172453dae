import { describe, expect, test } from 'vitest'
import type { Person } from '#testing/person.ts'
import { openEmptyStudio } from '#testing/studio-under-test.ts'
import { accountRefusals, editUser, register, resendVerification, verifyEmail } from '../../contract.ts'
import { makeAdmin } from '../members/make-admin.ts'

const form = (name: string, more: object = {}) => ({
  email: `${name}@people.example`,
  firstName: 'Zoe',
  lastName: 'Cast',
  password: 'secret',
  ...more,
})
const verify = (who: Person, token: string) => who.call(verifyEmail, { body: { token } })
/** The tokens of verification links, oldest first. */
const tokensIn = (mails: ({ text: string } | undefined)[]) =>
  mails.flatMap((mail) => /\/auth#verify=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? [])

describe('with email verification required', () => {
  test('signing up starts no session; login requires the emailed link, which works once', async () => {
    const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
    const zoe = studio.visitor('Zoe')
    const response = await zoe.call(register, { body: form('zoe') })
    expect(response.status).toBe(201)
    expect(response.body).toEqual({ emailVerificationRequired: true })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(await studio.count('select count(*) from sessions')).toBe(0)

    const login = () => zoe.request('POST', '/api/login', { username: 'zoe@people.example', password: 'secret' })
    expect(await login()).toBeRefused(accountRefusals.email_not_verified)
    expect(accountRefusals.email_not_verified.message).toBe(
      'Please check your email to verify your account before logging in.',
    )
    const wrong = await zoe.request('POST', '/api/login', { username: 'zoe@people.example', password: 'wrong!' })
    expect(wrong).toBeRefused(accountRefusals.invalid_credentials)

    const [mail, ...more] = await studio.mailTo(zoe)
    expect(more).toEqual([])
    const [token = ''] = tokensIn([mail])
    expect(token).not.toBe('')
    expect(await verify(zoe, `${token}x`)).toBeRefused(accountRefusals.verification_expired)
    // A mail scanner opens what it finds.
    for (const method of ['GET', 'HEAD']) {
      await zoe.request(method, `/auth#verify=${token}`)
      await zoe.request(method, `/api/verify-email?token=${token}`)
    }
    expect(await login()).toBeRefused(accountRefusals.email_not_verified)

    const followed = await verify(zoe, token)
    expect(followed.status).toBe(200)
    expect(followed.headers.getSetCookie()).toEqual([])
    expect(await studio.count('select count(*) from one_time_links')).toBe(0)
    expect((await studio.mailTo(zoe)).map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/welcome/i))

    expect((await login()).status).toBe(200)
    expect((await zoe.request('GET', '/api/auth/user')).body.email).toBe('zoe@people.example')
    expect(await verify(zoe, token)).toBeRefused(accountRefusals.verification_expired)
    expect(await studio.mailTo(zoe)).toHaveLength(2)
  })

  test('mails another link on request; both work until one is used; responses do not reveal accounts', async () => {
    const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
    const zoe = studio.visitor('Zoe')
    await zoe.call(register, { body: form('zoe') })
    const links = async () => tokensIn(await studio.mailTo(zoe))
    const login = () => zoe.request('POST', '/api/login', { username: 'zoe@people.example', password: 'secret' })
    const resend = (username: string) => zoe.call(resendVerification, { body: { username } })
    const [first = ''] = await links()

    const asked = await resend('ZOE@people.example')
    expect(asked.status).toBe(200)
    expect((await resend('nobody@people.example')).body).toEqual(asked.body)
    const [second = '', ...more] = (await links()).filter((link) => link !== first)
    expect(more).toEqual([])
    expect(await login()).toBeRefused(accountRefusals.email_not_verified)
    expect((await verify(zoe, first)).status).toBe(200)
    expect((await login()).status).toBe(200)
    expect(await verify(zoe, second)).toBeRefused(accountRefusals.verification_expired)
    expect((await resend('zoe@people.example')).body).toEqual(asked.body)
    expect(await links()).toHaveLength(2)
  })

  test('the link expires after two days; setting a password by mail also verifies the address', async () => {
    const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
    const zoe = studio.visitor('Zoe')
    await zoe.call(register, { body: form('zoe') })
    const [mail] = await studio.mailTo(zoe)
    const [verifying = ''] = tokensIn([mail])
    studio.clock.advance({ hours: 48 })
    expect(await verify(zoe, verifying)).toBeRefused(accountRefusals.verification_expired)
    const login = (password: string) => zoe.request('POST', '/api/login', { username: 'zoe@people.example', password })
    expect(await login('secret')).toBeRefused(accountRefusals.email_not_verified)

    await zoe.request('POST', '/api/password-reset', { email: 'zoe@people.example' })
    const mails = await studio.mailTo(zoe)
    const [, token = ''] = /\/auth#reset=([\w-]+)/.exec(mails.map(({ text }) => text).join()) ?? []
    const set = await zoe.request('POST', '/api/password-reset/confirm', { token, password: 'changed' })
    expect(set.status).toBe(200)
    expect((await login('changed')).status).toBe(200)
  })

  test('requires a changed address to be verified at the next login, without another welcome', async () => {
    const studio = await openEmptyStudio({ env: { EMAIL_VERIFICATION: 'required' } })
    const [zoe, dora] = [studio.visitor('Zoe'), studio.visitor('Dora')]
    for (const [who, name] of [
      [zoe, 'zoe'],
      [dora, 'dora'],
    ] as const) {
      await who.call(register, { body: form(name) })
      await verify(who, tokensIn(await studio.mailTo(who)).at(-1) ?? '')
      await who.request('POST', '/api/login', { username: who.email, password: 'secret' })
    }
    await studio.server.database.transaction((tx) => makeAdmin(tx, dora.email, studio.clock.now()))
    const { id } = (await zoe.request('GET', '/api/auth/user')).body
    const email = 'zoe@new.example'
    expect((await dora.call(editUser, { params: { id }, body: { email } })).status).toBe(200)
    const login = () => studio.visitor().request('POST', '/api/login', { username: email, password: 'secret' })
    expect(await login()).toBeRefused(accountRefusals.email_not_verified)
    const [token = ''] = tokensIn(await studio.mailTo({ email }))
    expect((await verify(studio.visitor(), token)).status).toBe(200)
    expect((await login()).status).toBe(200)
    expect((await studio.mailTo({ email })).map(({ subject }) => subject)).toEqual([expect.stringMatching(/confirm/)])
  })
})
