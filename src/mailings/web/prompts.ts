import { mailingsApi } from './api.ts'

/** What mutations of credits and bookings make stale. */
export const promptQueries = [mailingsApi.getPrompts, mailingsApi.listPrompted, mailingsApi.listWeek]

/** For these queries: members book and buy all day, so what is opened is fetched again. */
export const FRESH = { gcTime: 0, staleTime: 0 }
