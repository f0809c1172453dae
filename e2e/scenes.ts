import type { Page } from '@playwright/test'
import { Person } from '../src/testing/person.ts'
import { ADMIN_DAY_SCENES } from './admin-day-scenes.ts'
import { ADMIN_SCENES } from './admin-scenes.ts'
import { CARDS, pay } from './member.ts'
import { expect, type Site, signIn, succeed } from './site.ts'
import { answer, cut, hold } from './traffic.ts'

/** One screen in one state. `open` ends when the state is there to be looked at. */
export type Scene = {
  name: string
  open: (page: Page, site: Site) => Promise<unknown>
  /** Built like the scene before it in all but words: worth a picture, not another measurement. */
  alike?: true
  /** The state exists on this kind of screen only. */
  only?: 'phone'
}

/** Somebody in every state worth looking at, made once for each site. */
type Cast = {
  empty: Person
  full: Person
  rich: Person
  long: Person
  mover: Person
  admin: Person
  today: string
  lastRow: string
}
const casts = new WeakMap<Site, Promise<Cast>>()
const castOf = (site: Site) => {
  const known = casts.get(site) ?? furnish(site)
  casts.set(site, known)
  return known
}

const LONG_TITLE = 'Slow and Thorough Reformer Pilates for Shoulders, Spines and Stubbornly Unstretchable Hamstrings'

async function furnish(site: Site): Promise<Cast> {
  const full = new Person(site.origin, 'Imogen')
  await succeed(full, 'POST', '/api/login', { username: 'member@studio.example', password: 'studio-member' })
  const rich = await site.member({ firstName: 'Rosalind', health: true, credits: 9 })
  const other = await site.member({ health: true, credits: 3 })
  const long = await site.member({
    firstName: 'Wilhelmina-Josephine-Antoinette',
    lastName: 'Oldroyd-Featherstonehaugh-Cholmondeley',
    health: true,
    credits: 50,
  })
  const today = site.now.slice(0, 10)
  const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString()
  await site.class({ at: `${today} 07:30`, title: 'Early Reformer' })
  const soon = await site.class({ at: `${today} 09:45`, title: 'Reformer before Lunch' })
  const full1 = await site.class({ at: `${today} 13:30`, places: 1, title: 'One-on-one Reformer' })
  const awaited = await site.class({ at: `${today} 15:15`, places: 1, title: 'One-on-one Stretch' })
  const far = await site.class({ at: `${tomorrow} 11:15`, places: 1, title: 'One-on-one in the Morning' })
  const half = await site.class({ at: `${today} 14:30`, title: 'Afternoon Reformer' })
  const wide = await site.class({ at: `${today} 16:00`, title: LONG_TITLE })
  const mover = await site.member({ firstName: 'Mara', health: true, credits: 1 })
  await site.books(mover, await site.class({ at: `${today} 17:00`, title: 'Late Reformer' }))
  const lastRow = 'Evening Reformer'
  await site.class({ at: `${today} 18:00`, title: lastRow })
  await site.books(rich, soon)
  await site.books(other, full1)
  await site.books(other, awaited)
  await site.books(long, far)
  for (const { id } of [awaited, far]) await succeed(rich, 'POST', `/api/classes/${id}/waitlist`)
  await site.books(other, half)
  await site.books(long, wide)
  return {
    empty: await site.member({ firstName: 'Nell' }),
    full,
    rich,
    long,
    mover,
    admin: await site.admin(),
    today,
    lastRow,
  }
}

/** Opens a path, as somebody where named, and waits until `shows` is seen. */
function at(path: string, shows: string | RegExp, who?: keyof Omit<Cast, 'today' | 'lastRow'>) {
  return async (page: Page, site: Site) => {
    const cast = await castOf(site)
    if (who) await signIn(page, cast[who])
    await page.goto(path)
    await expect(page.getByText(shows).filter({ visible: true }).first()).toBeVisible()
    await expect(page.getByText(who ? /^Welcome|Logout/ : 'Login').first()).toBeAttached()
    return cast
  }
}

type Open = Scene['open']
const then =
  (open: Open, next: (page: Page, site: Site) => Promise<unknown>): Open =>
  async (page, site) => {
    await open(page, site)
    await next(page, site)
  }
const before =
  (first: (page: Page) => Promise<unknown>, open: Open): Open =>
  async (page, site) => {
    await first(page)
    await open(page, site)
  }
const click = (role: 'button' | 'tab' | 'link', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).filter({ visible: true }).first().click()

const heading = (name: string | RegExp) => (page: Page) => expect(page.getByRole('heading', { name })).toBeVisible()
const dialog = (page: Page) => expect(page.getByRole('dialog')).toBeVisible()
const toast = (page: Page) =>
  expect(page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')).toBeVisible()

const checkoutOf = (price: string) => async (page: Page, site: Site) => {
  await signIn(page, (await castOf(site)).rich)
  const packages = await succeed(await site.admin(), 'GET', '/api/packages')
  const sold = packages.find((p: { price: string }) => p.price === price)
  await page.goto(`/checkout?packageId=${sold.id}&amount=${Number(price)}`)
}
const cardForm = (page: Page) => expect(page.getByLabel('Card number')).toBeVisible()

const wizard =
  (steps: number): Open =>
  async (page, site) => {
    await at('/health', 'Incomplete', 'empty')(page, site)
    await page.getByRole('button', { name: 'Complete Questionnaire' }).click()
    await heading('Medical History')(page)
    if (steps > 0) {
      await page.getByRole('button', { name: 'Next' }).click()
      await heading('Exercise Background')(page)
    }
    if (steps > 1) {
      await page.getByRole('button', { name: 'Next' }).click()
      await heading('Emergency Contact')(page)
    }
    if (steps > 2) {
      await page.getByLabel('Emergency contact name').fill('Sam Stranger')
      await page.getByLabel('Relationship').fill('Partner')
      await page.getByLabel('Phone number').fill('01632 960199')
      await page.getByRole('button', { name: 'Next' }).click()
      await heading('Disclaimers & Consent')(page)
    }
  }

const today = at('/booking', 'Evening Reformer', 'rich')

const reschedule = then(
  then(at('/dashboard', 'Late Reformer', 'mover'), click('button', /^Reschedule Late Reformer/)),
  dialog,
)

/** Every screen and main state, in the order in which somebody meets them. */
export const SCENES: readonly Scene[] = [
  { name: 'home, visitor', open: at('/', 'Get Started Today') },
  { name: 'home, member with a class', open: at('/', 'Imogen', 'full') },
  { name: 'home, member without anything', open: at('/', 'Nell', 'empty') },
  { name: 'mobile menu, visitor', only: 'phone', open: then(at('/', /./), click('button', 'Open menu')) },
  { name: 'mobile menu, admin', only: 'phone', open: then(at('/about', /./, 'admin'), click('button', 'Open menu')) },
  {
    name: 'account required dialog',
    open: then(then(at('/pricing', '8 Class Pass'), click('button', /Select Package 8 Class Pass/)), dialog),
  },
  { name: 'about', open: at('/about', /Visit/) },
  {
    name: 'about, a picture opened',
    open: then(at('/about', /Visit/), async (page) => {
      await page.locator('#gallery').getByRole('link').first().click()
      await expect(page.locator('.yarl__slide_current img')).toBeVisible()
    }),
  },
  {
    name: 'classes, questions open',
    open: then(at('/harrogate-reformer-pilates-classes', 'Before you come'), (page) =>
      page.evaluate(() => {
        for (const question of document.querySelectorAll('details')) question.open = true
      }),
    ),
  },
  { name: 'classes', alike: true, open: at('/harrogate-reformer-pilates-classes', 'No classes scheduled') },
  { name: 'contact', open: at('/contact_harrogate_reformer_pilates', 'HG1 2ZZ') },
  { name: 'blog', open: at('/blog', 'Recent Posts') },
  {
    name: 'blog, newsletter asked for',
    open: then(at('/blog', 'Recent Posts'), async (page) => {
      await page.getByLabel('Email').fill('reader@people.example')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await expect(page.getByText(/We have sent you a mail/)).toBeVisible()
    }),
  },
  {
    name: 'newsletter, link no longer works',
    open: async (page) => {
      await page.goto('/api/newsletter/confirm?token=unknown')
      await heading('This link no longer works')(page)
    },
  },
  { name: 'article, costs', open: at('/blog/reformer-pilates-costs-uk', /4 min/) },
  { name: 'article, core strength', alike: true, open: at('/blog/reformer-pilates-core-strength', /5 min/) },
  { name: 'article, one-on-one or duo', alike: true, open: at('/blog/one-on-one-vs-group-classes', /4 min/) },
  { name: 'article, first session', alike: true, open: at('/blog/preparing-first-reformer-pilates-session', /5 min/) },
  { name: 'refund policy', open: at('/refund-policy', /Cooling-Off/) },
  { name: 'terms', alike: true, open: at('/terms-and-conditions', /England and Wales/) },
  { name: 'privacy policy', alike: true, open: at('/privacy-policy', /cookies/i) },
  { name: 'page not found', open: at('/nowhere-to-be-found', /Page not found/) },
  { name: 'pricing, visitor', open: at('/pricing', '12 Class Pass') },
  { name: 'pricing, member', open: at('/pricing', '12 Class Pass', 'rich') },
  {
    name: 'pricing, loading',
    open: before((page) => hold(page, '**/api/packages'), at('/pricing', 'What every pass brings')),
  },
  {
    name: 'pricing, unreachable',
    alike: true,
    open: before((page) => cut(page, '**/api/packages'), at('/pricing', 'Try again')),
  },
  {
    name: 'pricing, everything held',
    open: before((page) => cutDownToHeld(page), at('/pricing', "You've purchased all available packages!", 'rich')),
  },
  { name: 'auth, login', open: at('/auth', 'Welcome back') },
  {
    name: 'auth, login with errors',
    open: then(at('/auth', 'Welcome back'), async (page) => {
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page.getByText('Username is required')).toBeVisible()
    }),
  },
  {
    name: 'auth, login failed',
    open: then(at('/auth', 'Welcome back'), async (page) => {
      await page.getByLabel('Username').fill('nobody@people.example')
      await page.getByLabel('Password').fill('not-the-one')
      await page.getByRole('button', { name: 'Login' }).click()
      await toast(page)
    }),
  },
  {
    name: 'auth, login before the address is confirmed',
    open: then(
      before(
        (page) =>
          answer(page, '**/api/login', 401, {
            message: 'Please check your email to verify your account before logging in.',
          }),
        at('/auth', 'Welcome back'),
      ),
      async (page) => {
        await page.getByLabel('Username').fill('nell@people.example')
        await page.getByLabel('Password').fill('six-or-more')
        await page.getByRole('button', { name: 'Login' }).click()
        await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible()
      },
    ),
  },
  { name: 'auth, sign up', open: then(at('/auth', 'Welcome back'), click('tab', 'Sign Up')) },
  {
    name: 'auth, sign up with errors',
    open: then(then(at('/auth', 'Welcome back'), click('tab', 'Sign Up')), async (page) => {
      await page.getByRole('button', { name: 'Create Account' }).click()
      await expect(page.getByText('Invalid email address')).toBeVisible()
    }),
  },
  {
    name: 'auth, forgot password',
    open: at('/auth?forgot', 'Send me a link'),
  },
  {
    name: 'auth, link to set a password sent',
    open: then(at('/auth?forgot', 'Send me a link'), async (page) => {
      await page.getByLabel('Email').fill('nobody@people.example')
      await page.getByRole('button', { name: 'Send me a link' }).click()
      await expect(page.getByRole('status').filter({ hasText: 'A link works once' })).toBeVisible()
    }),
  },
  {
    name: 'auth, set a password',
    open: then(at('/auth#reset=unknown', 'Set your password'), async (page) => {
      await page.getByLabel('New password').fill('reformer2026')
      await expect(page.getByLabel('New password')).toHaveValue('reformer2026')
    }),
  },
  {
    name: 'auth, link to set a password used up',
    open: then(at('/auth#reset=unknown', 'Set your password'), async (page) => {
      for (const label of ['New password', 'Confirm password']) await page.getByLabel(label).fill('reformer2026')
      await page.getByRole('button', { name: 'Set password' }).click()
      await expect(page.getByRole('alert')).toContainText('no longer valid')
    }),
  },
  { name: 'auth, confirm an email address', open: at('/auth#verify=unknown', 'Confirm email address') },
  {
    name: 'auth, link to confirm an address used up',
    open: then(at('/auth#verify=unknown', 'Confirm email address'), async (page) => {
      await page.getByRole('button', { name: 'Confirm email address' }).click()
      await expect(page.getByRole('alert')).toContainText('has been used already')
    }),
  },
  { name: 'email verified', open: at('/email-verified', 'Continue to Login') },
  { name: 'dashboard, summary, empty', open: at('/dashboard', 'No upcoming classes booked', 'empty') },
  { name: 'dashboard, summary, full', open: at('/dashboard', 'Upcoming classes', 'full') },
  { name: 'dashboard, summary, long names', open: at('/dashboard', LONG_TITLE, 'long') },
  { name: 'dashboard, detailed, empty', open: at('/dashboard?view=detailed', 'No upcoming bookings', 'empty') },
  { name: 'dashboard, detailed, full', open: at('/dashboard?view=detailed', 'Booking History', 'full') },
  { name: 'dashboard, detailed, long names', open: at('/dashboard?view=detailed', LONG_TITLE, 'long') },
  {
    name: 'dashboard, detailed, in the last 120 minutes',
    open: at('/dashboard?view=detailed', 'Cannot cancel (within 120 min)', 'rich'),
  },
  {
    name: 'dashboard, loading',
    open: before(
      (page) => hold(page, '**/api/user/passes'),
      async (page, site) => {
        await signIn(page, (await castOf(site)).full)
        await page.goto('/dashboard')
        await expect(page.getByRole('navigation', { name: 'Dashboard layout' })).toBeVisible()
      },
    ),
  },
  {
    name: 'dashboard, unreachable',
    open: before((page) => cut(page, '**/api/user/passes'), at('/dashboard', 'Try again', 'full')),
  },
  {
    name: 'dashboard, view history',
    open: then(then(at('/dashboard', 'Upcoming classes', 'full'), click('button', 'View History')), dialog),
  },
  {
    name: 'dashboard, cancel without credit',
    open: then(
      then(at('/dashboard', 'Reformer before Lunch', 'rich'), click('button', /^Cancel Reformer before Lunch/)),
      dialog,
    ),
  },
  {
    name: 'dashboard, reschedule, choose',
    open: then(reschedule, (page) =>
      expect(
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^Choose/ })
          .first(),
      ).toBeVisible(),
    ),
  },
  {
    name: 'dashboard, reschedule, confirm',
    open: then(then(reschedule, click('button', /^Choose Evening Reformer/)), (page) =>
      expect(page.getByRole('button', { name: 'Move booking' })).toBeVisible(),
    ),
  },
  {
    name: 'dashboard, summary, add to calendar',
    open: then(at('/dashboard', 'Late Reformer', 'mover'), (page) => page.getByText('Add to calendar').first().click()),
  },
  {
    name: 'dashboard, summary, on waiting lists',
    open: at('/dashboard', 'On the waiting list', 'rich'),
  },
  {
    name: 'dashboard, thank you',
    open: before(
      (page) => answer(page, '**/api/purchase-package', 200, {}),
      at(
        '/dashboard?packageId=1&payment_intent=pi_1&redirect_status=succeeded',
        'Thank You for Your Purchase!',
        'full',
      ),
    ),
  },
  {
    name: 'dashboard, authentication failed',
    open: at('/dashboard?packageId=1&payment_intent=pi_1&redirect_status=failed', /try using a different card/, 'full'),
  },
  { name: 'booking, every kind of row', open: today },
  { name: 'booking, empty day', open: at('/booking?date=2026-12-27', /No classes scheduled for/, 'rich') },
  {
    name: 'booking, loading',
    open: before((page) => hold(page, '**/api/classes?*'), at('/booking', 'Loading classes...', 'rich')),
  },
  {
    name: 'booking, unreachable',
    alike: true,
    open: before((page) => cut(page, '**/api/classes?*'), at('/booking', 'Try again', 'rich')),
  },
  {
    name: 'booking dialog, ready',
    open: then(then(today, click('button', /^Book Evening Reformer/)), async (page) => {
      await expect(page.getByText('Health information complete')).toBeVisible()
      await page.getByRole('checkbox').first().check()
      await page.getByRole('checkbox').last().check()
    }),
  },
  {
    name: 'booking dialog, without health information',
    open: then(then(at('/booking', 'Evening Reformer', 'empty'), click('button', /^Book Evening Reformer/)), (page) =>
      expect(page.getByText('Health information required.')).toBeVisible(),
    ),
  },
  {
    name: 'waiting list dialog',
    open: then(then(today, click('button', /^Waiting list for One-on-one Reformer/)), (page) =>
      expect(page.getByText('Health information complete')).toBeVisible(),
    ),
  },
  {
    name: 'waiting list dialog, in line for tomorrow',
    open: then(
      then(
        at('/booking?date=2026-12-08', 'One-on-one in the Morning', 'rich'),
        click('button', /^Waiting list for One-on-one in/),
      ),
      (page) => expect(page.getByText('Health information complete')).toBeVisible(),
    ),
  },
  { name: 'health, incomplete', open: at('/health', 'Incomplete', 'empty') },
  { name: 'health, complete', open: at('/health', 'Complete', 'full') },
  {
    name: 'health, delete account',
    open: then(then(at('/health', 'Complete', 'full'), click('button', 'Delete my account')), dialog),
  },
  { name: 'health, step 1', open: wizard(0) },
  { name: 'health, step 2', open: wizard(1) },
  { name: 'health, step 3', open: wizard(2) },
  {
    name: 'health, step 3 with errors',
    open: then(wizard(2), async (page) => {
      await page.getByRole('button', { name: 'Next' }).click()
      await expect(page.getByRole('alert')).toBeVisible()
    }),
  },
  { name: 'health, step 4', open: wizard(3) },
  {
    name: 'health, update',
    alike: true,
    open: then(
      then(at('/health', 'Complete', 'full'), click('button', 'Update Information')),
      heading('Medical History'),
    ),
  },
  { name: 'checkout', open: then(checkoutOf('424.00'), cardForm) },
  {
    name: 'checkout, card form with errors',
    open: then(then(then(checkoutOf('129.00'), cardForm), click('button', /^Complete Payment/)), (page) =>
      expect(page.getByText('Please use MM/YY')).toBeVisible(),
    ),
  },
  {
    name: 'checkout, declined',
    open: then(then(checkoutOf('424.00'), cardForm), async (page) => {
      await pay(page, CARDS.declined)
      await toast(page)
    }),
  },
  {
    name: 'checkout, processing',
    open: then(then(checkoutOf('232.00'), cardForm), async (page) => {
      await hold(page, '**/sandbox/stripe/**/confirm')
      await pay(page, CARDS.pays)
      await expect(page.getByRole('button', { name: /Processing/ })).toBeVisible()
    }),
  },
  {
    name: 'checkout, could not be prepared',
    open: then(
      before((page) => answer(page, '**/api/create-payment-intent', 500, {}), checkoutOf('424.00')),
      (page) => expect(page.getByRole('alert')).toBeVisible(),
    ),
  },
  {
    name: 'checkout, payments disabled',
    open: then(
      before(
        (page) => answer(page, '**/api/payment-setup', 200, { provider: 'disabled', publishableKey: null }),
        checkoutOf('424.00'),
      ),
      (page) => expect(page.getByText('Payment processing is temporarily disabled.')).toBeVisible(),
    ),
  },
  {
    name: 'checkout, package not found',
    open: at('/checkout?packageId=999999&amount=5', 'Package not found.', 'full'),
  },
  {
    name: 'studio unreachable',
    open: async (page) => {
      await cut(page, '**/api/**')
      await page.goto('/dashboard')
      await expect(page.getByText('The studio could not be reached')).toBeVisible()
    },
  },
  { name: 'admin, overview', open: at('/admin', 'Recent Bookings', 'admin') },
  ...['Analytics', 'Users', 'Classes', 'Packages', 'Bookings', 'Health Updates'].map((tab) => ({
    name: `admin, ${tab.toLowerCase()}`,
    open: then(at(`/admin?tab=${encodeURIComponent(tab)}`, tab, 'admin'), async (page: Page) => {
      await expect(page.getByText(/^Loading/)).toHaveCount(0)
    }),
  })),
  ...ADMIN_SCENES,
  ...ADMIN_DAY_SCENES,
  { name: 'every piece of the design system', open: at('/dev/ui', 'Buttons') },
]

/** Leaves on sale only the package that may be bought once, and lets the member hold it. */
async function cutDownToHeld(page: Page) {
  await page.route('**/api/packages', async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as { purchaseOncePerUser: boolean; id: number }[]
    const once = all.filter((sold) => sold.purchaseOncePerUser)
    await route.fulfill({ response, json: once })
  })
  await page.route('**/api/user/passes', async (route) => {
    const response = await route.fetch()
    const all = (await response.json()) as { packageId: number }[]
    const packages = await (await page.request.get('/api/packages')).json()
    const once = packages.find((sold: { purchaseOncePerUser: boolean }) => sold.purchaseOncePerUser)
    await route.fulfill({ response, json: all.map((pass) => ({ ...pass, packageId: once.id })) })
  })
}
