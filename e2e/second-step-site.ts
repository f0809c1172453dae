import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { london } from '#testing/frozen-clock.ts'
import { test as base, MONDAY_MORNING, Site } from './site.ts'

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The demo studio with a required second step. It runs on `localhost`, where browsers allow passkeys without HTTPS. */
export const test = base.extend<object, { secondStepSite: { site: Site; address: string } }>({
  secondStepSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern
    async ({}, use) => {
      const port = await freePort()
      const address = `http://localhost:${port}`
      const settings = { PORT: String(port), APP_URL: address, ADMIN_SECOND_FACTOR: 'required' }
      const site = await Site.open(MONDAY_MORNING, { settings })
      await use({ site, address })
      await site.close()
    },
    { scope: 'worker' },
  ],
  site: async ({ secondStepSite }, use) => use(secondStepSite.site),
  baseURL: async ({ secondStepSite }, use) => use(secondStepSite.address),
})
export { expect } from '@playwright/test'

/** Chromium's virtual authenticator, which stores passkeys. */
export async function addVirtualAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const credentials = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    count: async () => (await credentials()).length,
    /** With touch enabled, the username field's passkey autofill signs in immediately. */
    setTouch: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    remove: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

export async function createAdmin(site: Site, firstName: string) {
  const admin = await site.member({ firstName, lastName: 'Owner' })
  await site.pool.query('update users set is_admin = true where id = $1', [admin.id])
  return admin
}

/** The authenticator app's code at a London wall time. */
export const codeAt = (secret: string, now: string) =>
  generateSync({ secret, epoch: Math.floor(london(now).epochMilliseconds / 1000) })

export async function submitPassword(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/auth')
  await page.getByLabel('Username').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}
