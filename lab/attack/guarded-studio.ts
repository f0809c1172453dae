import { expect } from 'vitest'
import {
  adminWithApp,
  LIVE_SECOND_FACTOR_ENV,
  logIn,
  registerPasskey,
} from '#accounts/server/factors/factors-under-test.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, type StudioUnderTest } from '#testing/studio-under-test.ts'

/** A live site whose owner, Dora, has an app, a passkey and recovery codes. */
export async function openGuarded() {
  const cast = await openStudio({ env: LIVE_SECOND_FACTOR_ENV })
  const { secret, recoveryCodes } = await adminWithApp(cast.studio, cast.dora)
  const { device } = await registerPasskey(cast.dora)
  return { ...cast, secret, recoveryCodes, device }
}

/** A browser of a thief who knows the password. */
export function knows(studio: StudioUnderTest, owner: Person, name = 'Mallory'): Person {
  return Object.assign(studio.visitor(name), { email: owner.email, password: owner.password })
}

/** The same browser after the password was accepted, where the second step is still missing. */
export async function beforeSecondStep(studio: StudioUnderTest, owner: Person, name?: string): Promise<Person> {
  const browser = knows(studio, owner, name)
  expect((await logIn(browser)).body).toEqual({ secondFactorRequired: true })
  return browser
}

export const times = <Item>(many: number, make: (i: number) => Item) => Array.from({ length: many }, (_, i) => make(i))
export const statusOf = ({ status }: { status: number }) => status
export const isIn = async (person: Person) => (await person.request('GET', '/api/auth/user')).status === 200
export const isAdmin = async (person: Person) => (await person.request('GET', '/api/admin/users')).status === 200
/** A cookie's value, by its name without the `__Host-` prefix; empty if there is none. */
export const cookieOf = (person: Person, name: string) =>
  [...person.cookies].find(([key]) => key.replace('__Host-', '') === name)?.[1] ?? ''
