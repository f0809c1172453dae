import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { waitForAnimations } from '../../e2e/accessibility.ts'
import { ADMIN_WALKS } from '../../e2e/scenes/admin.ts'
import { ADMIN_DAY_WALKS } from '../../e2e/scenes/admin-day.ts'
import { ADMIN_LIST_WALKS } from '../../e2e/scenes/admin-lists.ts'
import { BOOKING_WALKS } from '../../e2e/scenes/booking.ts'
import { BUSY_WALKS } from '../../e2e/scenes/busy-studio.ts'
import { CHECKOUT_WALKS } from '../../e2e/scenes/checkout.ts'
import { COMPANION_WALKS } from '../../e2e/scenes/companions.ts'
import { DASHBOARD_WALKS } from '../../e2e/scenes/dashboard.ts'
import { HEALTH_WALKS } from '../../e2e/scenes/health.ts'
import { openPage } from '../../e2e/scenes/members.ts'
import { PUBLIC_WALKS } from '../../e2e/scenes/public.ts'
import type { Scene, Walk } from '../../e2e/scenes/scene.ts'
import { SECOND_STEP_WALKS } from '../../e2e/scenes/second-step.ts'
import { SIGN_IN_WALKS } from '../../e2e/scenes/sign-in.ts'
import { test as secondStepTest } from '../../e2e/second-step-site.ts'
import { test as siteTest } from '../../e2e/site.ts'

/**
 * The walks of each spec file. Each file has its own site and runs its walks in order, so that its pictures do not
 * depend on other files.
 */
const GROUPS = {
  visitors: PUBLIC_WALKS,
  members: [...SIGN_IN_WALKS, ...DASHBOARD_WALKS],
  forms: [...BOOKING_WALKS, ...COMPANION_WALKS, ...HEALTH_WALKS, ...CHECKOUT_WALKS],
  owner: ADMIN_WALKS,
  'owners-day': [
    ...ADMIN_DAY_WALKS,
    ...ADMIN_LIST_WALKS,
    [{ name: 'every piece of the design system', open: openPage('/dev/ui', 'Buttons') }],
  ],
  'second-steps': SECOND_STEP_WALKS,
  busy: BUSY_WALKS,
} satisfies Record<string, readonly Walk[]>
type Group = keyof typeof GROUPS

const FOLDER = join(import.meta.dirname, '../../screenshots')
/** Folders of the pictures. Every scene is taken at the first two widths, main screens at all. */
const WIDTHS = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  laptop: { width: 1024, height: 768 },
  desk: { width: 1920, height: 1080 },
}
type Width = keyof typeof WIDTHS

const widthsOf = ({ only, main }: Scene): Width[] => {
  if (only) return [only]
  return main ? ['wide', 'phone', 'tablet', 'laptop', 'desk'] : ['wide', 'phone']
}

/** Picture files by scene: `01-home-visitor`. */
const files = new Map(
  Object.values<readonly Walk[]>(GROUPS)
    .flat(2)
    .map((scene, i) => [scene, `${String(i + 1).padStart(3, '0')} ${scene.name}`.replace(/[, ]+/g, '-')]),
)

/**
 * Declares a test for each walk of a group. A scene is opened once and resized, because layout depends on CSS only.
 */
export function takePictures(group: Group): void {
  const test = group === 'second-steps' ? secondStepTest : siteTest
  for (const walk of GROUPS[group] as readonly Walk[]) {
    const names = walk.map((scene) => files.get(scene)).join('; ')
    test(names, async ({ page, site }) => {
      for (const scene of walk) {
        const widths = widthsOf(scene)
        await page.setViewportSize(WIDTHS[widths[0] as Width])
        await scene.open(page, site)
        for (const width of widths) {
          await page.setViewportSize(WIDTHS[width])
          await takePicture(page, join(FOLDER, width, `${files.get(scene)}.png`))
        }
      }
    })
  }
}

async function takePicture(page: Page, path: string): Promise<void> {
  await everyPictureLoaded(page)
  await waitForAnimations(page)
  // An overlay is positioned in the window, so take the window only.
  const hasOverlay = (await page.locator('[role=dialog], #mobile-menu, .toast').count()) > 0
  // Scroll up, or sticky elements would be in the middle of a full-page picture.
  if (!hasOverlay) await page.evaluate(() => scrollTo(0, 0))
  await page.screenshot({ path, fullPage: !hasOverlay, animations: 'disabled' })
}

/** Loads lazy pictures, which a full-page screenshot would show unloaded. */
async function everyPictureLoaded(page: Page) {
  await page.evaluate(async () => {
    await document.fonts.ready
    const pictures = [...document.images]
    for (const picture of pictures) picture.loading = 'eager'
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)))
  })
}
