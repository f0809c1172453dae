import type { Page } from '@playwright/test'
import { Person } from '#testing/person.ts'
import { addVirtualAuthenticator, codeAt, createAdmin, submitPassword } from '../second-step-site.ts'
import { callApi, expect, type Site } from '../site.ts'
import { intercept } from '../traffic.ts'
import { click, heading, inTurn, type Walk } from './scene.ts'

const owners = new WeakMap<Page, Person>()
async function ownerOf(page: Page, site: Site): Promise<Person> {
  const known = owners.get(page)
  if (known) return known
  const owner = await createAdmin(site, 'Olive')
  owners.set(page, owner)
  return owner
}

async function submitOwnersPassword(page: Page, site: Site) {
  await submitPassword(page, await ownerOf(page, site))
}

const code = (page: Page) => page.getByRole('textbox', { name: 'Code' })

async function submitWrongCode(page: Page, button: string) {
  await code(page).fill('000000')
  await page.getByRole('button', { name: button }).click()
  await expect(code(page)).toHaveAccessibleDescription(/This code is wrong/)
}

async function connectApp(page: Page, site: Site) {
  const secret = (await page.locator('code').textContent())?.replaceAll(' ', '') ?? ''
  await code(page).fill(codeAt(secret, site.now))
  await page.getByRole('button', { name: 'Connect the app' }).click()
  const codes = page.getByRole('heading', { name: 'Your recovery codes' })
  await expect(codes).toBeFocused()
  await expect(codes).toBeInViewport()
}

/** Makes the admin's last proof of identity an hour older. */
async function expireStepUp(page: Page, site: Site) {
  const { id } = await ownerOf(page, site)
  const older = "update sessions set confirmed_at = confirmed_at - interval '1 hour' where user_id = $1"
  await site.pool.query(older, [id])
}

/** Signs in with the password and sets up the second step in another browser. */
async function setUpStepElsewhere(page: Page, site: Site) {
  const { email, password } = await ownerOf(page, site)
  await submitOwnersPassword(page, site)
  await heading('Set up a second step')(page)
  const elsewhere = new Person(site.origin, 'Elsewhere')
  await callApi(elsewhere, 'POST', '/api/login', { username: email, password })
  const { secret, setUp } = await callApi(elsewhere, 'POST', '/api/user/authenticator/options', {})
  await callApi(elsewhere, 'PUT', '/api/user/authenticator', { setUp, code: codeAt(secret, site.now) })
}

/** Needs the site of `second-step-site.ts`. */
export const SECOND_STEP_WALKS: readonly Walk[] = [
  [
    { name: 'second step, set up', open: inTurn(submitOwnersPassword, heading('Set up a second step')) },
    {
      name: 'second step, set up an app',
      open: inTurn(click('button', 'Use an authenticator app'), (page) => expect(code(page)).toBeVisible()),
    },
    { name: 'second step, set up an app, wrong code', open: (page) => submitWrongCode(page, 'Connect the app') },
    { name: 'second step, recovery codes', open: connectApp },
    {
      name: 'second step, step-up',
      open: inTurn(click('button', 'I have saved them'), expireStepUp, async (page) => {
        await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
        await page.goto('/admin?tab=Health%20Updates')
        await expect(page.getByRole('dialog', { name: 'Is it you?' })).toBeVisible()
        await expect(code(page)).toBeFocused()
      }),
    },
    { name: 'second step, step-up, wrong code', open: (page) => submitWrongCode(page, 'Confirm') },
  ],
  [
    {
      name: 'second step, at sign-in, passkey or code',
      open: inTurn(
        async (page, site) => {
          const device = await addVirtualAuthenticator(page)
          await submitOwnersPassword(page, site)
          await click('button', 'Use a passkey')(page)
          await click('button', 'I have saved them')(page)
          await expect(page.getByRole('navigation', { name: 'Admin' })).toBeVisible()
          await page.goto('/api/logout')
          await device.setTouch(false)
        },
        submitOwnersPassword,
        async (page) => {
          await heading('One more step')(page)
          await expect(code(page)).toBeVisible()
        },
      ),
    },
    {
      name: 'second step, at sign-in, wrong code',
      open: (page) => submitWrongCode(page, 'Continue'),
    },
    {
      name: 'second step, at sign-in, too many codes',
      open: async (page) => {
        const body = { message: 'Too many attempts. Please wait a little and try again.' }
        await intercept(page, '**/api/login/second-step', (route) =>
          route.fulfill({ status: 429, json: body, headers: { 'retry-after': '840' } }),
        )
        await page.getByRole('button', { name: 'Continue' }).click()
        await expect(code(page)).toHaveAccessibleDescription(/Please try again in 14 minutes\.$/)
      },
    },
  ],
  [
    {
      name: 'second step, before the admin pages',
      open: inTurn(setUpStepElsewhere, async (page) => {
        await page.goto('/admin')
        await heading('One more step')(page)
        await expect(code(page)).toBeVisible()
      }),
    },
  ],
]
