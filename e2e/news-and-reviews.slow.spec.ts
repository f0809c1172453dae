import { jpeg } from '#pictures/server/pictures-under-test.ts'
import { openAsOwner } from './admin.ts'
import { expectToast, openMore } from './member.ts'
import { callApi, expect, signIn, test } from './site.ts'

test.use({ viewport: { width: 390, height: 844 } })

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
  await openMore(owner)
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
  await openMore(owner)
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

test('sends an email with a picture, which needs words', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Leopoldine' })
  await openAsOwner(page, site, `/admin?view=messages&to=people:${member.id}`)
  const form = page.getByRole('form', { name: 'Write a message' })
  await form.getByLabel('Subject').fill('The new reformer')
  const choose = form.getByLabel('Add a picture')
  await choose.setInputFiles({ name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await expect(form.getByText('Please choose a picture in JPEG, PNG, WebP or AVIF format.')).toBeVisible()
  await choose.setInputFiles({ name: 'room.jpg', mimeType: 'image/jpeg', buffer: await jpeg() })
  const words = form.getByLabel('What picture 1 shows')
  await expect(words).toBeFocused()
  await form.getByRole('button', { name: 'Preview' }).click() // a mistake
  await expect(form.getByText('Please describe the picture for people who cannot see it')).toBeVisible()
  await words.fill('A reformer by the window')
  await form.getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview' })
  const shown = dialog.getByRole('img', { name: 'A reformer by the window' })
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1020)
  await dialog.getByRole('button', { name: 'Send to 1 person' }).click()
  await expectToast(page, 'On its way to 1 person')
  await expect(words).toBeHidden()
  expect((await site.mailTo(member.email, /The new reformer/)).text).toContain('Picture: A reformer by the window')
})
