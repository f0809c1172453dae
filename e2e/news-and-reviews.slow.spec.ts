import { openAsOwner } from './admin.ts'
import { expectToast } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

// The review link is a setting of the whole site.
test.use({ viewport: { width: 390, height: 844 }, siteOf: 'news-and-reviews' })

const QUESTIONNAIRE = '/api/health/questionnaire'

test('offers news on the dashboard once, records a yes, and the owner asks that member for a review', async ({
  page,
  browser,
  site,
}) => {
  const member = await site.member({ firstName: 'Ottoline', lastName: 'Hirst', health: true, credits: 2 })
  await site.book(member, await site.class({ at: '2026-12-09 07:05' }))
  await signIn(page, member)
  await page.goto('/dashboard')
  const offer = page.getByRole('region', { name: 'News and offers' })
  await expect(offer).toContainText('I would like to hear about news and offers by email.')
  await offer.getByRole('button', { name: 'Yes, please' }).click()
  await expectToast(page, 'Thank you')
  await expect(offer).toBeHidden()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Your details' })).toBeVisible()
  expect(await callApi(member, 'GET', '/api/user/news-offer')).toEqual({ isOffered: false })
  expect(await callApi(member, 'GET', QUESTIONNAIRE)).toMatchObject({ marketingConsent: true })

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const owner = await context.newPage()
  await openAsOwner(owner, site, `/admin?tab=Users&user=${member.id}`)
  await owner.getByRole('link', { name: 'Ask for a review' }).click()
  const form = owner.getByRole('form', { name: 'Write a message' })
  await form.getByRole('link', { name: 'Add a review link to ask for reviews' }).click()
  const link = owner.getByLabel('Review link')
  await link.fill('http://g.page/r/studio/review')
  await owner.getByRole('button', { name: 'Save' }).click() // a mistake
  await expect(owner.getByText('Please enter an address that begins with https://')).toBeVisible()
  await link.fill('https://g.page/r/studio/review')
  await owner.getByRole('button', { name: 'Save' }).click()
  await expectToast(owner, 'Saved. Every page will show it within a minute')

  await owner.goto(`${site.origin}/admin?tab=Users&user=${member.id}`)
  await owner.getByRole('link', { name: 'Ask for a review' }).click() // tap 1
  await expect(form.getByLabel('Message')).toHaveValue(/https:\/\/g\.page\/r\/studio\/review/)
  await expect(form).toContainText('only to members who agreed to news')
  await form.getByRole('button', { name: 'Preview' }).click() // tap 2
  await owner.getByRole('button', { name: 'Send to 1 person' }).click() // tap 3
  await expectToast(owner, 'On its way to 1 person')
  const mail = await site.mailTo(member.email, /How do you find/)
  expect(mail.text).toContain('https://g.page/r/studio/review')
  expect(mail.text).toContain('unsubscribe')
  await context.close()
})

test('does not offer news again after a no', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Ignatius', health: true, credits: 2 })
  await site.book(member, await site.class({ at: '2026-12-09 07:10' }))
  await signIn(page, member)
  await page.goto('/dashboard')
  const offer = page.getByRole('region', { name: 'News and offers' })
  await offer.getByRole('button', { name: 'No, thank you' }).click()
  await expect(offer).toBeHidden()
  expect(await callApi(member, 'GET', '/api/user/news-offer')).toEqual({ isOffered: false })
  expect(await callApi(member, 'GET', QUESTIONNAIRE)).toMatchObject({ marketingConsent: false })
})
