import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { SCENES } from './scenes.ts'
import { expect, test } from './site.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What passes is not described, and style sheets are not fetched once more: half the time. */
const ONLY_FAULTS = {
  runOnly: { type: 'tag' as const, values: WCAG },
  resultTypes: ['violations' as const],
  preload: false,
}
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The narrowest screen of WCAG 2.2 (1.4.10). */
const NARROW = { width: 320, height: 640 }
/** 1440 px at 200 % zoom. */
const ZOOMED = { width: 720, height: 450 }

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** axe's findings as sentences. */
async function faults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).options(ONLY_FAULTS).setLegacyMode(true).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}

/**
 * What is lost at this width: a page or dialog that must be scrolled sideways, words that are cut off without being
 * meant to, things that stand outside the window.
 */
function lost(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth > width)
      found.push(`the page is ${document.documentElement.scrollWidth} px wide`)
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${String(element.getAttribute('class')).slice(0, 40)} "${element.textContent?.trim().slice(0, 40)}"`
    const scrollsSideways = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrollsSideways(element.parentElement))
    for (const element of document.querySelectorAll('body *')) {
      if (
        !(element instanceof HTMLElement) ||
        element.closest('[aria-hidden=true], [inert], .sr-only, [class*="sr-only"]')
      )
        continue
      const style = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      if (box.width < 2 || box.height < 2 || style.visibility === 'hidden') continue
      const hasWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (!hasWords) continue
      if ((box.right > width + 1 || box.left < -1) && !scrollsSideways(element.parentElement)) {
        found.push(`outside the window: ${nameOf(element)}`)
      }
      const cut = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'visible'
      if (cut && style.textOverflow !== 'ellipsis' && !['INPUT', 'TEXTAREA'].includes(element.tagName)) {
        found.push(`cut off: ${nameOf(element)}`)
      }
    }
    return found
  })
}

for (const { name, open, only } of SCENES.filter(({ alike }) => !alike)) {
  test(`${name}: axe finds nothing, and nothing is lost at 320 px or 200 %`, async ({ page, site }) => {
    await page.setViewportSize(only === 'phone' ? PHONE : WIDE)
    await open(page, site)
    if (!only) {
      expect(await faults(page), 'at 1440 px').toEqual([])
      await page.setViewportSize(ZOOMED)
      expect(await lost(page), 'at 200 %').toEqual([])
      await page.setViewportSize(PHONE)
    }
    expect(await faults(page), 'at 390 px').toEqual([])
    expect(await lost(page), 'at 390 px').toEqual([])
    await page.setViewportSize(NARROW)
    expect(await lost(page), 'at 320 px').toEqual([])
  })
}
