import type { Page } from '@playwright/test'
import { expect, type Site } from '../site.ts'

export type Scene = {
  name: string
  open: Open
  /** Has the same layout as another scene, so it is not checked with axe. */
  isScreenshotOnly?: true
  /** Its screenshot is taken at more widths. */
  main?: true
  only?: 'phone'
}
export type Open = (page: Page, site: Site) => Promise<unknown>

/** Scenes on one page. Each continues where the previous one ended. */
export type Walk = readonly Scene[]

export type WalkTest = (name: string, body: (fixtures: { page: Page; site: Site }) => Promise<void>) => void

export const inTurn =
  (...steps: readonly Open[]): Open =>
  async (page, site) => {
    for (const step of steps) await step(page, site)
  }

export const click = (role: 'button' | 'tab' | 'link' | 'checkbox', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).filter({ visible: true }).first().click()

export const closeDialog = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

export const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { name })).toBeVisible()

export const dialog = (page: Page) => expect(page.getByRole('dialog')).toBeVisible()

export const toast = (page: Page) =>
  expect(page.getByRole('region', { name: /Notifications/ }).getByRole('listitem')).toBeVisible()
