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
/** Leaves out passed checks and preloading, which doubles the speed. */
const AXE_OPTIONS = {
  runOnly: { type: 'tag' as const, values: WCAG },
  resultTypes: ['violations' as const],
  preload: false,
}

/** Waits for finite animations, because colours are wrong while an element fades in. */
export async function waitForAnimations(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => {
      const end = effect?.getComputedTiming().endTime
      return playState !== 'running' || end === Number.POSITIVE_INFINITY
    }),
  )
}

export async function axeViolations(page: Page): Promise<string[]> {
  await waitForAnimations(page)
  // Injecting axe takes as long as running it, so don't inject it twice.
  const axeSource = (await page.evaluate(() => 'axe' in window)) ? ';' : undefined
  const { violations } = await new AxeBuilder({ page, axeSource }).options(AXE_OPTIONS).setLegacyMode(true).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`))
}

/** Finds horizontal scrolling, text that is cut off without an ellipsis, and text outside the window. */
export function layoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const problems: string[] = []
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth > width)
      problems.push(`the page is ${document.documentElement.scrollWidth} px wide`)
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
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (!hasText) continue
      if ((box.right > width + 1 || box.left < -1) && !scrollsSideways(element.parentElement)) {
        problems.push(`outside the window: ${nameOf(element)}`)
      }
      const isCutOff = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'visible'
      if (isCutOff && style.textOverflow !== 'ellipsis' && !['INPUT', 'TEXTAREA'].includes(element.tagName)) {
        problems.push(`cut off: ${nameOf(element)}`)
      }
    }
    return problems
  })
}

/** Links of the page's content with the same words and different destinations (WCAG 2.2, 2.4.9 at AAA). */
function ambiguousLinks(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // Two people may have one name.
    const links = [...document.querySelectorAll<HTMLAnchorElement>('main a[href]:not([href*="user="])')].filter((a) =>
      a.checkVisibility(),
    )
    const byName = Map.groupBy(links, (a) =>
      (a.ariaLabel ?? `${a.textContent}${[...a.querySelectorAll('img')].map(({ alt }) => alt)}`).trim(),
    )
    return [...byName].flatMap(([name, same]) => {
      const destinations = new Set(same.map(({ href }) => href))
      return destinations.size > 1 ? [`“${name}” leads to ${[...destinations].join(' and ')}`] : []
    })
  })
}

export function testWalk(test: WalkTest, walk: Walk) {
  const names = walk.filter(({ isScreenshotOnly }) => !isScreenshotOnly).map(({ name }) => name)
  test(`${names.join('; ')}: passes axe and fits at 320 px and at 200 % zoom`, async ({ page, site }) => {
    for (const { name, open, only, isScreenshotOnly } of walk) {
      await page.setViewportSize(only === 'phone' ? PHONE : WIDE)
      await open(page, site)
      if (isScreenshotOnly) continue
      expect.soft(await ambiguousLinks(page), `links of ${name}`).toEqual([])
      if (!only) {
        expect.soft(await axeViolations(page), `${name} at 1440 px`).toEqual([])
        await page.setViewportSize(ZOOMED)
        expect.soft(await layoutProblems(page), `${name} at 200 %`).toEqual([])
        await page.setViewportSize(PHONE)
      }
      expect.soft(await axeViolations(page), `${name} at 390 px`).toEqual([])
      expect.soft(await layoutProblems(page), `${name} at 390 px`).toEqual([])
      await page.setViewportSize(NARROW)
      expect.soft(await layoutProblems(page), `${name} at 320 px`).toEqual([])
    }
  })
}
