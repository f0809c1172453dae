import { expect, newEmail, test } from './site.ts'
import { failRequests, holdRequests, mockResponse } from './traffic.ts'

const ADDRESS = '**/api/newsletter'
const CONFIRMATION = 'We have sent you an email. Follow the link in it to join the list.'

test('subscribes on the blog, confirms and unsubscribes with emailed links', async ({ page, site }) => {
  const email = newEmail('reader')
  await page.goto('/blog')
  const box = page.getByLabel('Email')
  const subscribe = page.getByRole('button', { name: 'Subscribe' })

  await subscribe.click()
  await expect(page.getByText('Please enter your email address')).toBeVisible()
  await expect(box).toBeFocused()
  await box.fill('nobody')
  await expect(page.getByText('Please enter your email address')).toBeHidden()
  await box.press('Enter')
  await expect(box).toHaveAccessibleDescription('Invalid email address')

  await box.fill(email)
  await subscribe.dblclick()
  await expect(page.getByRole('status').filter({ hasText: CONFIRMATION })).toBeVisible()
  const mail = await site.mailTo(email, /confirm the newsletter/)
  const all = (await (await fetch(`${site.origin}/dev/mailbox.json`)).json()) as { to: string }[]
  expect(all.filter(({ to }) => to === email)).toHaveLength(1)

  // The email has the public address, but the test server has another port.
  const onTestServer = (link: string | undefined) =>
    new URL(new URL(link ?? '').pathname + new URL(link ?? '').search, site.origin).href
  await page.goto(onTestServer(/https?:\S+\/confirm\?\S+/.exec(mail.text)?.[0]))
  await expect(page.getByRole('heading', { name: 'Join the newsletter?' })).toBeVisible()
  const confirm = page.getByRole('button', { name: 'Confirm subscription' })
  await expect(confirm).toHaveCSS('background-color', 'rgb(54, 59, 45)')
  await confirm.click()
  await expect(page.getByRole('heading', { name: 'You are on the list' })).toBeVisible()
  await page.getByRole('link', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'Leave the newsletter?' })).toBeVisible()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
  expect(new URL(page.url()).origin).toBe(site.origin)
})

test('shows progress and errors and keeps the address', async ({ page }) => {
  await page.goto('/blog')
  const box = page.getByLabel('Email')
  const subscribe = page.getByRole('button', { name: 'Subscribe' })
  await box.fill('reader@people.example')

  const request = await holdRequests(page, ADDRESS)
  await subscribe.click()
  await expect(subscribe).toHaveAttribute('aria-busy', 'true')
  await request.release()
  await expect(page.getByText(CONFIRMATION)).toBeVisible()

  await failRequests(page, ADDRESS)
  await subscribe.click()
  await expect(
    page.getByText('The studio could not be reached. Please check your connection and try again.'),
  ).toBeVisible()
  await expect(page.getByText(CONFIRMATION)).toBeHidden()
  await mockResponse(page, ADDRESS, 500, {})
  await subscribe.click()
  await expect(page.getByText('You could not be put on the list. Please try again.')).toBeVisible()
  await expect(box).toHaveValue('reader@people.example')
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })
  test('confirms the subscription on its own page', async ({ page, site }) => {
    const email = newEmail('plain')
    await page.goto('/blog')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await expect(page.getByRole('heading', { name: 'Please check your inbox' })).toBeVisible()
    await expect(page.getByText(CONFIRMATION)).toBeVisible()
    await site.mailTo(email, /confirm the newsletter/)
  })
})
