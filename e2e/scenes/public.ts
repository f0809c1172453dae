import type { Page } from '@playwright/test'
import { expect } from '../site.ts'
import { failRequests, holdRequests, intercept } from '../traffic.ts'
import { openPage } from './members.ts'
import { click, dialog, heading, inTurn, type Walk } from './scene.ts'

const expectNote = (page: Page) =>
  expect(page.getByRole('figure').filter({ hasText: 'Your next class' }).getByRole('link')).toBeVisible()

export const PUBLIC_WALKS: readonly Walk[] = [
  [
    { name: 'home, visitor', main: true, open: openPage('/', 'Get Started Today') },
    { name: 'mobile menu, visitor', only: 'phone', open: click('button', 'Open menu') },
  ],
  [{ name: 'home, member with a class', main: true, open: inTurn(openPage('/', 'Imogen', 'full'), expectNote) }],
  [{ name: 'home, member without anything', open: inTurn(openPage('/', 'Nell', 'empty'), expectNote) }],
  [
    {
      name: 'mobile menu, admin',
      only: 'phone',
      open: inTurn(openPage('/about', /./, 'admin'), click('button', 'Open menu')),
    },
  ],
  [
    { name: 'about', main: true, open: openPage('/about', /Visit/) },
    {
      name: 'about, gallery',
      open: async (page) => {
        await page.locator('#gallery').getByRole('link').first().click()
        await expect(page.locator('.yarl__slide_current img')).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'classes',
      main: true,
      isScreenshotOnly: true,
      open: openPage('/harrogate-reformer-pilates-classes', 'No classes scheduled'),
    },
    {
      name: 'classes, questions open',
      open: (page) =>
        page.evaluate(() => {
          for (const question of document.querySelectorAll('details')) question.open = true
        }),
    },
  ],
  [
    { name: 'contact', main: true, open: openPage('/contact_harrogate_reformer_pilates', 'HG1 2ZZ') },
    {
      name: 'contact, complaint with errors',
      open: async (page) => {
        await page.getByText('Make a complaint about your data').click()
        await page.getByRole('button', { name: 'Send complaint' }).click()
        await expect(page.getByText('Please enter your name')).toBeVisible()
      },
    },
    {
      name: 'contact, complaint received',
      open: async (page) => {
        await page.getByLabel('Your name').fill('Winifred Featherstonehaugh-Cholmondeley')
        await page.getByLabel('Email').fill('winifred@people.example')
        await page.getByLabel(/What is wrong/).fill('You rang a number that I asked you to delete.')
        await page.getByRole('button', { name: 'Send complaint' }).click()
        await expect(page.getByText(/We have your complaint/)).toBeVisible()
      },
    },
  ],
  [
    { name: 'blog', main: true, open: openPage('/blog', 'Recent Posts') },
    {
      name: 'blog, newsletter requested',
      open: async (page) => {
        await page.getByLabel('Email').fill('reader@people.example')
        await page.getByRole('button', { name: 'Subscribe' }).click()
        await expect(page.getByText(/We have sent you an email/)).toBeVisible()
      },
    },
  ],
  [
    {
      name: 'newsletter, link no longer works',
      open: async (page) => {
        await page.goto('/api/newsletter/confirm?token=unknown')
        await heading('This link no longer works')(page)
      },
    },
  ],
  [{ name: 'article, costs', open: openPage('/blog/reformer-pilates-costs-uk', /4 min/) }],
  [
    {
      name: 'article, core strength',
      isScreenshotOnly: true,
      open: openPage('/blog/reformer-pilates-core-strength', /5 min/),
    },
  ],
  [
    {
      name: 'article, one-on-one or duo',
      isScreenshotOnly: true,
      open: openPage('/blog/one-on-one-vs-group-classes', /4 min/),
    },
  ],
  [
    {
      name: 'article, first session',
      isScreenshotOnly: true,
      open: openPage('/blog/preparing-first-reformer-pilates-session', /5 min/),
    },
  ],
  [{ name: 'refund policy', open: openPage('/refund-policy', /Cooling-Off/) }],
  [{ name: 'terms', isScreenshotOnly: true, open: openPage('/terms-and-conditions', /England and Wales/) }],
  [{ name: 'privacy policy', isScreenshotOnly: true, open: openPage('/privacy-policy', /cookies/i) }],
  [{ name: 'page not found', open: openPage('/nowhere-to-be-found', /Page not found/) }],
  [
    { name: 'pricing, visitor', main: true, open: openPage('/pricing', '12 Class Pass') },
    {
      name: 'account required dialog',
      open: inTurn(click('button', /Select Package 8 Class Pass/), dialog),
    },
  ],
  [{ name: 'pricing, member', open: openPage('/pricing', '12 Class Pass', 'rich') }],
  [
    {
      name: 'pricing, loading',
      open: inTurn(
        (page) => holdRequests(page, '**/api/packages'),
        openPage('/', 'Personalisation'),
        click('link', 'Pricing'),
        (page) => expect(page.getByText('What every pass includes').first()).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'pricing, unreachable',
      isScreenshotOnly: true,
      open: inTurn((page) => failRequests(page, '**/api/packages'), openPage('/pricing', 'Try again')),
    },
  ],
  [
    {
      name: 'pricing, everything held',
      open: inTurn(pretendAllHeld, openPage('/pricing', "You've purchased all available packages!", 'rich')),
    },
  ],
]

/** Leaves only the package that can be bought once, and pretends that the member holds it. */
async function pretendAllHeld(page: Page) {
  await intercept(page, '**/api/packages', async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as { purchaseOncePerUser: boolean; id: number }[]
    const once = all.filter((sold) => sold.purchaseOncePerUser)
    await route.fulfill({ response, json: once })
  })
  await intercept(page, '**/api/user/passes', async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as { packageId: number }[]
    const packages = await (await page.request.get('/api/packages')).json()
    const once = packages.find((sold: { purchaseOncePerUser: boolean }) => sold.purchaseOncePerUser)
    await route.fulfill({ response, json: all.map((pass) => ({ ...pass, packageId: once.id })) })
  })
}
