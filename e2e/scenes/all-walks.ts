import { ADMIN_WALKS } from './admin.ts'
import { ADMIN_DAY_WALKS } from './admin-day.ts'
import { ADMIN_LIST_WALKS } from './admin-lists.ts'
import { BOOKING_WALKS } from './booking.ts'
import { CHECKOUT_WALKS } from './checkout.ts'
import { COMPANION_WALKS } from './companions.ts'
import { DASHBOARD_WALKS } from './dashboard.ts'
import { HEALTH_WALKS } from './health.ts'
import { openPage } from './members.ts'
import { PUBLIC_WALKS } from './public.ts'
import type { Walk } from './scene.ts'
import { SIGN_IN_WALKS } from './sign-in.ts'

export const WALKS: readonly Walk[] = [
  ...PUBLIC_WALKS,
  ...SIGN_IN_WALKS,
  ...DASHBOARD_WALKS,
  ...BOOKING_WALKS,
  ...COMPANION_WALKS,
  ...HEALTH_WALKS,
  ...CHECKOUT_WALKS,
  ...ADMIN_WALKS,
  ...ADMIN_DAY_WALKS,
  ...ADMIN_LIST_WALKS,
  [{ name: 'every piece of the design system', open: openPage('/dev/ui', 'Buttons') }],
]
