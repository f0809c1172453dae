import type { Page } from '@playwright/test'
import { expect } from '../site.ts'
import { cut, hold, intercept } from '../traffic.ts'
import { at } from './cast.ts'
import { click, dialog, heading, inTurn, type Walk } from './scene.ts'

const noteThere = (page: Page) =>
  expect(page.getByRole('figure').filter({ hasText: 'Your next class' }).getByRole('link')).toBeVisible()

/** What a visitor meets, and a member on the pages for everybody. */
export const PUBLIC_WALKS: readonly Walk[] = [
  [
    { name: 'home, visitor', main: true, open: at('/', 'Get Started Today') },
    { name: 'mobile menu, visitor', only: 'phone', open: click('button', 'Open menu') },
  ],
  [{ name: 'home, member with a class', main: true, open: inTurn(at('/', 'Imogen', 'full'), noteThere) }],
  [{ name: 'home, member without anything', open: inTurn(at('/', 'Nell', 'empty'), noteThere) }],
  [
    {
      name: 'mobile menu, admin',
      only: 'phone',
      open: inTurn(at('/about', /./, 'admin'), click('button', 'Open menu')),
    },
  ],
  [
    { name: 'about', main: true, open: at('/about', /Visit/) },
    {
      name: 'about, a picture opened',
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
      alike: true,
      open: at('/harrogate-reformer-pilates-classes', 'No classes scheduled'),
    },
    {
      name: 'classes, questions open',
      open: (page) =>
        page.evaluate(() => {
          for (const question of document.querySelectorAll('details')) question.open = true
        }),
    },
  ],
  [{ name: 'contact', main: true, open: at('/contact_harrogate_reformer_pilates', 'HG1 2ZZ') }],
  [
    { name: 'blog', main: true, open: at('/blog', 'Recent Posts') },
    {
      name: 'blog, newsletter asked for',
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
  [{ name: 'article, costs', open: at('/blog/reformer-pilates-costs-uk', /4 min/) }],
  [{ name: 'article, core strength', alike: true, open: at('/blog/reformer-pilates-core-strength', /5 min/) }],
  [{ name: 'article, one-on-one or duo', alike: true, open: at('/blog/one-on-one-vs-group-classes', /4 min/) }],
  [
    {
      name: 'article, first session',
      alike: true,
      open: at('/blog/preparing-first-reformer-pilates-session', /5 min/),
    },
  ],
  [{ name: 'refund policy', open: at('/refund-policy', /Cooling-Off/) }],
  [{ name: 'terms', alike: true, open: at('/terms-and-conditions', /England and Wales/) }],
  [{ name: 'privacy policy', alike: true, open: at('/privacy-policy', /cookies/i) }],
  [{ name: 'page not found', open: at('/nowhere-to-be-found', /Page not found/) }],
  [
    { name: 'pricing, visitor', main: true, open: at('/pricing', '12 Class Pass') },
    {
      name: 'account required dialog',
      open: inTurn(click('button', /Select Package 8 Class Pass/), dialog),
    },
  ],
  [{ name: 'pricing, member', open: at('/pricing', '12 Class Pass', 'rich') }],
  [
    {
      name: 'pricing, loading',
      open: inTurn(
        (page) => hold(page, '**/api/packages'),
        at('/', 'Personalisation'),
        click('link', 'Pricing'),
        (page) => expect(page.getByText('What every pass includes').first()).toBeVisible(),
      ),
    },
  ],
  [
    {
      name: 'pricing, unreachable',
      alike: true,
      open: inTurn((page) => cut(page, '**/api/packages'), at('/pricing', 'Try again')),
    },
  ],
  [
    {
      name: 'pricing, everything held',
      open: inTurn(cutDownToHeld, at('/pricing', "You've purchased all available packages!", 'rich')),
    },
  ],
]

/** Leaves on sale only the package that may be bought once, and lets the member hold it. */
async function cutDownToHeld(page: Page) {
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
