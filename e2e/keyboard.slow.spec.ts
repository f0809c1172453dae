import type { Locator, Page } from '@playwright/test'
import { openAsOwner } from './admin.ts'
import { CARDS, expectToast, PASSWORD, waitForDialogToClose } from './member.ts'
import { expect, newEmail, test } from './site.ts'

/** Other tests add classes to the lists, so allow more stops than a page needs. */
const MAX_TAB_STOPS = 500

const MAX_BATCH = 16

/** Presses Tab until `target` has the focus, and expects a visible focus ring. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let pressed = 0, batch = 1; pressed < MAX_TAB_STOPS; batch = Math.min(2 * batch, MAX_BATCH)) {
    const focus = await target.evaluate(holdFocus)
    if (focus) {
      expect(focus.ring, 'the focus is visible').toBe(true)
      return
    }
    for (const end = pressed + batch; pressed < end; pressed++) await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${target}`)
}

/**
 * Run it in the page. Returns whether the focus ring is visible if `element` has the focus. Otherwise it stops Tab at
 * `element` until the next call, so that not every press needs a check.
 */
function holdFocus(element: HTMLElement | SVGElement): { ring: boolean } | undefined {
  const page = window as typeof window & { focusHold?: AbortController }
  page.focusHold?.abort()
  if (element === document.activeElement) {
    const styles = [element, element.parentElement as Element].map((e) => getComputedStyle(e))
    return {
      ring: styles.some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0,
      ),
    }
  }
  page.focusHold = new AbortController()
  const stopTab = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || document.activeElement !== element) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', stopTab, { capture: true, signal: page.focusHold.signal })
  return undefined
}

const press = async (page: Page, target: Locator, key = 'Enter') => {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function type(page: Page, label: string | RegExp, text: string) {
  await tabTo(page, page.getByLabel(label, { exact: typeof label === 'string' }))
  await page.keyboard.type(text)
}

test('a member signs up, buys, books and cancels with the keyboard alone', async ({ page, site }) => {
  test.slow()
  const { title } = await site.class({ at: '2026-12-10 09:15' })
  const button = (name: string | RegExp) => page.getByRole('button', { name })

  await page.goto('/pricing')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await press(page, button(/Select Package 4 Class Pass/))
  const dialog = page.getByRole('dialog')
  await press(page, dialog.getByRole('button', { name: 'Create Account' }))
  await page.waitForURL('**/auth?tab=register')

  await tabTo(page, page.getByRole('tab', { name: 'Sign Up' }))
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('tab', { name: 'Login' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await type(page, 'Email', newEmail('kay'))
  await type(page, 'First name', 'Kay')
  await type(page, 'Last name', 'Board')
  await type(page, 'Password', PASSWORD)
  await type(page, 'Confirm password', PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')

  await press(page, page.getByRole('link', { name: 'Buy a Pass' }))
  await page.waitForURL('**/pricing')
  await press(page, button(/Select Package 4 Class Pass/))
  await page.waitForURL('**/checkout?**')
  await type(page, 'Card number', CARDS.accepted.replaceAll(' ', ''))
  await type(page, 'Expiry', '12/34')
  await type(page, 'CVC', '123')
  await type(page, 'Name on card', 'Kay Board')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Thank You for Your Purchase!')).toBeVisible()

  await press(page, page.getByRole('banner').getByRole('link', { name: 'Health Info' }))
  await press(page, button('Complete Questionnaire'))
  await expect(page.getByRole('heading', { name: 'Medical History' })).toBeFocused()
  await press(page, page.getByRole('checkbox', { name: 'Back problems' }), 'Space')
  await expect(page.getByRole('checkbox', { name: 'Back problems' })).toBeChecked()
  await press(page, page.getByRole('radio', { name: 'Not pregnant' }), 'ArrowDown')
  await expect(page.getByRole('radio', { name: 'Pregnant', exact: true })).toBeChecked()
  await press(page, button('Next'))
  await expect(page.getByRole('heading', { name: 'Exercise Background' })).toBeFocused()
  await press(page, button('Next'))
  await expect(page.getByRole('heading', { name: 'Emergency Contact' })).toBeFocused()
  await type(page, 'Emergency contact name', 'Sam Board')
  await type(page, 'Relationship', 'Partner')
  await type(page, 'Phone number', '01632 960199')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Disclaimers & Consent' })).toBeFocused()
  await press(page, page.getByRole('checkbox', { name: /I confirm that my answers are true/ }), 'Space')
  await press(page, page.getByRole('checkbox', { name: /I consent to the studio processing/ }), 'Space')
  await press(page, button('Complete Questionnaire'))
  await expectToast(page, 'Health information saved')
  await expect(page.getByRole('heading', { name: 'Health information', level: 1 })).toBeFocused()

  await press(page, page.getByRole('banner').getByRole('link', { name: 'Book Now' }))
  await page.waitForURL('**/booking')
  await tabTo(page, button(/7 December/))
  for (const day of [8, 9, 10]) {
    await page.keyboard.press('ArrowRight')
    await expect(button(new RegExp(`\\b${day} December`))).toBeFocused()
  }
  await press(page, button(`Book ${title} at 09:15`))
  await expect(page.getByText('Health information complete')).toBeVisible()
  await press(page, dialog.getByRole('checkbox', { name: /cancellation policy/ }), 'Space')
  await press(page, dialog.getByRole('checkbox', { name: /terms and conditions/ }), 'Space')
  await press(page, dialog.getByRole('button', { name: 'Confirm Booking' }))
  await expectToast(page, 'Booking Confirmed')

  await press(page, page.getByRole('banner').getByRole('link', { name: 'Dashboard' }))
  await press(page, button(`Cancel ${title} on 10/12/2026`))
  await expectToast(page, 'Booking cancelled successfully')
})

test('a dialog traps the focus, and Escape returns it', async ({ page }) => {
  await page.goto('/dev/ui')
  const opener = page.getByRole('button', { name: 'Open a dialog' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Cancel without credit?' })
  await expect(dialog).toBeVisible()
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab')
    await expect(dialog.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('Escape closes a dialog before a toast', async ({ page }) => {
  await page.goto('/dev/ui')
  await page.getByRole('button', { name: 'Open a dialog' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel without credit?' })
  await expect(dialog).toBeVisible()
  // The page behind the dialog cannot be clicked.
  await page.getByRole('button', { name: 'Show a toast', includeHidden: true }).dispatchEvent('click')
  const toast = page.getByRole('region', { name: /Notifications/, includeHidden: true }).locator('.toast')
  await expect(toast).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(toast).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(toast).toBeHidden()
})

test('on a phone, what has the focus is not behind the bar', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await openAsOwner(page, site, '/admin?tab=Packages')
  await expect(page.getByRole('button', { name: 'Edit 12 Class Pass' })).toBeVisible()
  const ends: number[] = []
  const bar = await page.getByRole('navigation', { name: 'Admin' }).boundingBox()
  await page.getByRole('button', { name: 'Create Package' }).focus()
  for (let pressed = 0; pressed < 12; pressed++) {
    await page.keyboard.press('Tab')
    ends.push(await page.locator(':focus').evaluate((it) => it.getBoundingClientRect().bottom))
  }
  expect(Math.max(...ends)).toBeLessThanOrEqual(bar?.y ?? 0)
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
})

test('the owner gifts credits and creates and deletes a class with the keyboard alone', async ({ page, site }) => {
  const member = await site.member({ firstName: 'Kit', lastName: 'Keys' })
  await openAsOwner(page, site)
  await press(page, page.getByRole('link', { name: 'Users', exact: true }))
  await type(page, 'Search members', 'Kit Keys')
  // The search changes the address, which closes a dialog.
  await expect(page.getByText('1 member', { exact: true })).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Gift Credits for Kit Keys' }))
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByLabel('Package'))
  await expect(dialog.getByRole('option', { name: /^8 Class Pass/ })).toBeAttached()
  // Only the first key, as a slow machine takes the next ones for another word.
  await page.keyboard.press('8')
  await expect(dialog.getByLabel('Package').locator('option:checked')).toHaveText(/^8 Class Pass/)
  await press(page, dialog.getByRole('button', { name: 'Gift Credits' }))
  await expectToast(page, 'Credits gifted successfully')
  await expect(page.getByRole('row').filter({ hasText: member.email })).toContainText('1')
  await expect(page.getByRole('button', { name: 'Gift Credits for Kit Keys' })).toBeFocused()

  await page.goto('/admin?tab=Classes')
  await press(page, page.getByRole('button', { name: 'Create Class' }))
  // The dialog is longer than the window, so what has the focus scrolls into view.
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(dialog.getByRole('button', { name: 'Create Class' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeInViewport()
  await type(page, 'Title', 'By the Keys')
  await press(page, dialog.getByRole('button', { name: /^Date/ }))
  await tabTo(page, dialog.getByRole('gridcell').getByRole('button', { name: / 7 December 2026/ }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  for (const _ of ['January', 'February', 'March']) await page.keyboard.press('PageDown')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: /^Date Monday 15 March 2027/ })).toBeFocused()
  await tabTo(page, dialog.getByLabel('Start time'))
  await dialog.getByLabel('Start time').fill('06:15')
  await press(page, dialog.getByRole('button', { name: 'Create Class' }))
  await expectToast(page, 'Class created successfully')
  await expect(page.getByRole('heading', { name: 'March 2027' })).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Delete By the Keys on 15/03/2027 at 06:15' }))
  await press(page, dialog.getByRole('button', { name: 'Delete class' }))
  await expectToast(page, 'Class deleted successfully')
})

test('the owner books a walk-in, messages members, records a sale and moves classes with the keyboard alone', async ({
  page,
  site,
}) => {
  const member = await site.member({ firstName: 'Tess', lastName: 'Tabb', health: true, credits: 3 })
  await site.class({ at: '2026-12-07 19:40', title: 'Keys at night' })
  for (const at of ['2026-12-08 05:40', '2026-12-08 21:10']) {
    await site.book(member, await site.class({ at, title: 'Keys tomorrow' }))
  }
  await openAsOwner(page, site)
  const dialog = page.getByRole('dialog')
  await press(page, page.getByRole('button', { name: 'Add someone to Keys at night at 19:40' }))
  await expect(page.getByRole('combobox', { name: 'Name, email or phone' })).toBeFocused()
  await page.keyboard.type('Tess Tabb')
  await expect(page.getByRole('option', { name: /Tess Tabb/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await press(page, dialog.getByRole('button', { name: 'Book class' }))
  await expectToast(page, 'Booked for Tess Tabb')

  await press(page, page.getByRole('link', { name: 'Message tomorrow’s people' }))
  await type(page, 'Subject', 'By the keys')
  await press(page, page.getByRole('button', { name: 'Preview' }))
  await press(page, dialog.getByRole('button', { name: /^Send to / }))
  await expectToast(page, /On its way to/)

  await page.goto(`/admin?tab=Users&user=${member.id}`)
  await press(page, page.getByRole('button', { name: 'Record a sale' }))
  await tabTo(page, dialog.getByLabel('Package'))
  await expect(dialog.getByRole('option', { name: /^8 Class Pass/ })).toBeAttached()
  // Only the first key, as a slow machine takes the next ones for another word.
  await page.keyboard.press('8')
  await expect(dialog.getByLabel('Package').locator('option:checked')).toHaveText(/^8 Class Pass/)
  await press(page, dialog.getByRole('button', { name: 'Record a sale' }))
  await expectToast(page, 'Sale recorded')
  await expect(page.getByRole('button', { name: 'Record a sale' })).toBeFocused()

  await waitForDialogToClose(page)
  await page.goto('/admin?tab=Classes')
  await press(page, page.getByRole('button', { name: 'More for Classes' }))
  await press(page, page.getByRole('button', { name: 'Choose several' }))
  const classes = page.getByRole('checkbox', { name: /Keys tomorrow/ })
  await press(page, classes.first(), 'Space')
  await press(page, classes.last(), 'Space')
  await press(page, page.getByRole('button', { name: 'Go to chosen classes' }).last())
  await press(page, page.getByRole('button', { name: 'Move', exact: true }))
  await type(page, 'Minutes', '5')
  await press(page, dialog.getByRole('button', { name: /^Move/ }))
  await expectToast(page, /moved/)
})
