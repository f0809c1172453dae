import type { Page } from '@playwright/test'
import { expect, type Site } from '../site.ts'

/** One screen in one state. */
export type Scene = {
  name: string
  /** Ends when the state is there to be looked at. */
  open: Open
  /** Built like another scene in all but words: worth a picture, not another measurement. */
  alike?: true
  /** A main screen: its picture is taken at more widths. */
  main?: true
  /** The state exists on this kind of screen only. */
  only?: 'phone'
}
export type Open = (page: Page, site: Site) => Promise<unknown>

/** Scenes on one page: the first opens it, each of the rest goes on from where the one before it ended. */
export type Walk = readonly Scene[]

/** Declares a test on some site. */
export type WalkTest = (name: string, body: (fixtures: { page: Page; site: Site }) => Promise<void>) => void

/** Does one after the other. */
export const inTurn =
  (...steps: readonly Open[]): Open =>
  async (page, site) => {
    for (const step of steps) await step(page, site)
  }

export const click = (role: 'button' | 'tab' | 'link', name: string | RegExp) => (page: Page) =>
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
