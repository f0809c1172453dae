import { insightsApi } from './api.ts'

/** What mutations of a member's account, passes or bookings make stale. */
export const memberQueries = [insightsApi.listUsers, insightsApi.getMemberPage]
