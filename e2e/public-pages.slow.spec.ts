import { expect, freezeClock, signIn, test } from './site.ts'

test('the gallery opens in a dialog with keys, Escape and Back, returns the focus, and loads on demand', async ({
  page,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await page.goto('/about')
  const gallery = page.locator('#gallery')
  const second = gallery.getByRole('link').nth(1)
  const dialog = page.getByRole('dialog', { name: 'Pictures of the studio' })
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((url) => url.includes('lightbox'))).toEqual([])

  await second.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('2 / 7')).toBeVisible()
  const currentImage = dialog.locator('.yarl__slide_current img')
  await expect(currentImage).toHaveAttribute('alt', /^Visualisation of the foot bar/)
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByText('3 / 7')).toBeVisible()
  await dialog.getByRole('button', { name: 'Previous picture' }).click()
  await expect(dialog.getByText('2 / 7')).toBeVisible()
  await expect(currentImage).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(second).toBeFocused()

  await second.click()
  await expect(dialog.getByText('2 / 7')).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/about')
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })
  test('the gallery can be swiped', async ({ page }) => {
    await page.goto('/about')
    await page.locator('#gallery').getByRole('link').first().tap()
    const dialog = page.getByRole('dialog', { name: 'Pictures of the studio' })
    await expect(dialog.getByText('1 / 7')).toBeVisible()
    await expect(dialog.locator('.yarl__slide_current img')).toBeVisible()
    const devtools = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y: 420 }] })
    await touch('touchStart', 340)
    for (let x = 320; x >= 60; x -= 20) await touch('touchMove', x)
    await touch('touchEnd')
    await expect(dialog.getByText('2 / 7')).toBeVisible()
  })
})

test('home welcomes a new member, and a day later welcomes them back', async ({ page, site }) => {
  await signIn(page, await site.member({ firstName: 'Rosalind' }))
  await page.goto('/')
  await expect(page.getByText('Good to have you here.')).toBeVisible()
  await expect(page.getByText('Good to have you back.')).toHaveCount(0)
  await freezeClock(page, '2026-12-08 08:00')
  await page.reload()
  await expect(page.getByText('Good to have you back.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Get Started Today' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('questions open with the keyboard', async ({ page }) => {
  await page.goto('/pricing')
  const question = page.getByText('How do I pay?')
  const response = page.getByText(/your card number never reaches us/)
  await expect(response).toBeHidden()
  await page.locator('summary').filter({ has: question }).focus()
  await page.keyboard.press('Enter')
  await expect(response).toBeVisible()
})

test('prints only the timetable, on one sheet', async ({ page }) => {
  await page.goto('/harrogate-reformer-pilates-classes')
  await page.emulateMedia({ media: 'print' })
  const card = page.locator('#timetable')
  await expect(card.getByRole('table', { name: 'Weekly timetable' })).toBeVisible()
  await expect(card.getByText('7 Aldergate Mews')).toBeVisible()
  await expect(card.getByRole('link')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Four steps to your first class' })).toBeHidden()
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type ?\/Page\b/g)
  expect(sheets).toHaveLength(1)
})

test('five packages fill their rows', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.goto('/pricing')
  const list = page.getByRole('list').filter({ has: page.getByRole('button', { name: /Select Package/ }) })
  const right = await list.evaluate((all) => all.getBoundingClientRect().right)
  const last = list
    .getByRole('listitem')
    .filter({ has: page.getByRole('button') })
    .last()
  await expect(last).toBeVisible()
  expect(await last.evaluate((card) => card.getBoundingClientRect().right)).toBeCloseTo(right, 0)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('shows the timetable, prices and pictures, and opens questions', async ({ page }) => {
    await page.goto('/harrogate-reformer-pilates-classes')
    await expect(page.getByRole('row', { name: /Thursday No classes scheduled/ })).toBeVisible()
    await page.getByText('What do I wear, and what do I bring?').click()
    await expect(page.getByText(/socks, with grips if you have them/)).toBeVisible()
    await page.goto('/pricing')
    await expect(page.getByRole('listitem').filter({ hasText: '8 Class Pass' })).toContainText(/£\d+/)
    await page.goto('/about')
    const picture = page.locator('#gallery').getByRole('link').first()
    expect((await page.request.get((await picture.getAttribute('href')) ?? '')).status()).toBe(200)
  })

  test('every page has its sections and links', async ({ page }) => {
    const expectLink = (name: string | RegExp, path: string | RegExp) =>
      expect(page.getByRole('main').getByRole('link', { name }).first()).toHaveAttribute('href', path)
    const expectHeadings = async (...headings: string[]) => {
      for (const name of headings)
        await expect(page.getByRole('main').getByRole('heading', { name, exact: true })).toBeVisible()
    }

    await page.goto('/')
    await expectHeadings(
      'Personalisation',
      'Tranquil expertise',
      'Affordable intimacy',
      'One-on-one',
      'Duo',
      'Class pass packages',
    )
    await expectHeadings('The rest of the day can wait.')
    await expect(page.getByRole('figure').filter({ hasText: 'A strap, a spring and your own breath.' })).toBeVisible()
    await expectLink('More about the studio', '/about')
    await expectLink('Get Started Today', '/auth')

    await page.goto('/about')
    await expectHeadings('Bespoke classes', 'Expert guidance', 'Tranquil studio', 'Affordable luxury', 'Local')
    await expectHeadings('Personalisation', 'Tranquil expertise', 'Affordable intimacy', 'Visit us')
    await expectLink('Contact and directions', '/contact')
    await expectLink('See the classes', '/harrogate-reformer-pilates-classes')
    await expectLink('See prices', '/pricing')

    await page.goto('/harrogate-reformer-pilates-classes')
    await expectHeadings('One-on-one', 'Duo', 'Weekly schedule')
    const week = page.getByRole('table', { name: 'Weekly timetable' })
    await expect(week.getByRole('columnheader')).toHaveText(['Day', 'Time', 'Class Type'])
    await expect(week.getByText('No classes scheduled')).toHaveCount(2)
    await expect(week.getByRole('cell', { name: /^\d\d:\d\d$/ })).toHaveText(
      '09:30 11:30 12:00 13:00 09:30 12:00 07:00 08:00 09:00 10:00 07:00'.split(' '),
    )
    await expectLink('View Pricing', '/pricing')
    await expectLink('Book a Class', '/booking')

    await page.goto('/contact_harrogate_reformer_pilates')
    await expectHeadings('Address', 'Phone', 'Email', 'Parking', 'Transport', 'Studio hours')
    await expectLink(/7 Aldergate Mews/, /^https:\/\/www\.openstreetmap\.org\//)
    await expectLink('01632 960147', 'tel:01632960147')
    await expectLink('hello@aldergate.example', 'mailto:hello@aldergate.example')
    await expect(page.getByRole('row')).toHaveText([/10:00 - 20:00/, /08:00 - 13:00/, /Closed/])
    await expectLink('Book a Class', '/auth')
    await expectLink('View Classes', '/harrogate-reformer-pilates-classes')

    await page.goto('/blog')
    await expect(page.getByRole('region', { name: 'Featured post' }).getByRole('link')).toHaveAttribute(
      'href',
      '/blog/reformer-pilates-costs-uk',
    )
    await expectHeadings('Recent Posts')
    await expect(
      page
        .getByRole('main')
        .getByRole('listitem')
        .filter({ has: page.locator('time') }),
    ).toHaveCount(3)
  })
})
