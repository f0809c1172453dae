import { attentionApi } from '#attention/web/api.ts'
import { bookingApi } from '#booking/web/api.ts'
import { CHANGED } from '#booking/web/change-bookings.ts'
import { importsApi } from '#imports/web/api.ts'
import { insightsApi } from '#insights/web/api.ts'
import { promptQueries } from '#mailings/web/messages.ts'
import { paymentsApi } from '#payments/web/api.ts'

/** The queries that a booking or a cancellation changes: classes, bookings, credits and figures. */
export const STALE = [
  ...CHANGED,
  ...promptQueries,
  ...Object.values(insightsApi),
  attentionApi.listAttention,
  bookingApi.listUndoable,
  paymentsApi.listPurchases,
  importsApi.listImports,
]
