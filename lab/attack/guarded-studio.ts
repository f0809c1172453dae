import { expect } from 'vitest'
import { addsPasskey, adminWithApp, LIVE_ASKING, logsIn } from '#accounts/server/factors/factors-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** A live site whose owner, Dora, has an app, a passkey and recovery codes. */
export async function openGuarded() {
  const cast = await openStudio({ env: LIVE_ASKING })
  const { secret, recoveryCodes } = await adminWithApp(cast.studio, cast.dora)
  const { device } = await addsPasskey(cast.dora)
  return { ...cast, secret, recoveryCodes, device }
}

/** Somebody who knows a password, at a browser of their own. */
export function knows(studio: StudioUnderTest, owner: Person, name = 'Mallory'): Person {
  return Object.assign(studio.visitor(name), { email: owner.email, password: owner.password })
}

/** The same, with the password accepted and the second step before them. */
export async function waiting(studio: StudioUnderTest, owner: Person, name?: string): Promise<Person> {
  const browser = knows(studio, owner, name)
  expect((await logsIn(browser)).body).toEqual({ secondFactorRequired: true })
  return browser
}

/** What `way` gives for each of `many`. */
export const ways = <Way>(many: number, way: (i: number) => Way) => Array.from({ length: many }, (_, i) => way(i))
export const statusOf = ({ status }: { status: number }) => status
export const isIn = async (person: Person) => (await person.request('GET', '/api/auth/user')).status === 200
export const isAdmin = async (person: Person) => (await person.request('GET', '/api/admin/users')).status === 200
/** A cookie's value, by its name without the prefix of a secure site; empty where there is none. */
export const cookieOf = (person: Person, name: string) =>
  [...person.cookies].find(([key]) => key.replace('__Host-', '') === name)?.[1] ?? ''
