import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import type { Walk, WalkTest } from './scenes/scene.ts'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The narrowest screen of WCAG 2.2 (1.4.10). */
const NARROW = { width: 320, height: 640 }
/** 1440 px at 200 % zoom. */
const ZOOMED = { width: 720, height: 450 }

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** What passes is not described, and style sheets are not fetched once more: half the time. */
const ONLY_FAULTS = {
  runOnly: { type: 'tag' as const, values: WCAG },
  resultTypes: ['violations' as const],
  preload: false,
}

/** Nothing moves any more but what always does. What is still fading in has the colours of neither before nor after. */
export async function motionOver(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => {
      const end = effect?.getComputedTiming().endTime
      return playState !== 'running' || end === Number.POSITIVE_INFINITY
    }),
  )
}

/** axe's findings as sentences. */
export async function faults(page: Page): Promise<string[]> {
  await motionOver(page)
  // A page that has been looked at before has axe already: to send it there costs as much as the look.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? ';' : undefined
  const { violations } = await new AxeBuilder({ page, axeSource }).options(ONLY_FAULTS).setLegacyMode(true).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}

/**
 * What is lost at this width: a page or dialog that must be scrolled sideways, words that are cut off without being
 * meant to, things that stand outside the window.
 */
export function lost(page: Page): Promise<string[]> {
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

/** Declares one test for a walk's scenes, on the site that `test` brings. */
export function seenEverywhere(test: WalkTest, walk: Walk) {
  const names = walk.filter(({ alike }) => !alike).map(({ name }) => name)
  test(`${names.join('; ')}: axe finds nothing, and nothing is lost at 320 px or 200 %`, async ({ page, site }) => {
    for (const { name, open, only, alike } of walk) {
      await page.setViewportSize(only === 'phone' ? PHONE : WIDE)
      await open(page, site)
      if (alike) continue
      if (!only) {
        expect.soft(await faults(page), `${name} at 1440 px`).toEqual([])
        await page.setViewportSize(ZOOMED)
        expect.soft(await lost(page), `${name} at 200 %`).toEqual([])
        await page.setViewportSize(PHONE)
      }
      expect.soft(await faults(page), `${name} at 390 px`).toEqual([])
      expect.soft(await lost(page), `${name} at 390 px`).toEqual([])
      await page.setViewportSize(NARROW)
      expect.soft(await lost(page), `${name} at 320 px`).toEqual([])
    }
  })
}
