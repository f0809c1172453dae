import { createServer } from 'node:net'
import type { Page } from '@playwright/test'
import { test as base, holdClock, MONDAY_MORNING, Site } from './site.ts'

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/**
 * The demo studio asking for what live mode asks for, under a name: passkeys are bound to one, and `localhost` is the only
 * one that browsers allow them at without HTTPS.
 */
export const test = base.extend<object, { asking: { site: Site; address: string } }>({
  asking: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants a pattern
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
  site: [async ({ asking }, use) => use(asking.site), { scope: 'worker' }],
  baseURL: async ({ asking }, use) => use(asking.address),
})
export { expect } from '@playwright/test'

/** A device with passkeys, as Chromium stands in for one; what it holds can be looked at and taken away. */
export async function virtualAuthenticator(page: Page) {
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
  const held = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    /** How many passkeys it holds. */
    count: async () => (await held()).length,
    /** Whether somebody touches it when it asks. Where it is touched, the browser's offer beside the username is taken up at once. */
    touched: (enabled: boolean) =>
      devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** The device is lost, and all on it. */
    lose: () => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  }
}

/** Both clocks go on: the site's, which decides, and the page's. */
export const itIs = (site: Site, now: string, page: Page) => Promise.all([site.itIs(now), holdClock(page, now)])
