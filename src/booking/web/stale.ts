import { passesKey } from '../../passes/web/passes.ts'
import { classesKey } from '../../timetable/web/classes.ts'

export const bookingsKey = ['bookings'] as const
export const waitingKey = ['waiting'] as const

/** Taking or giving back a place changes free places, bookings and credits, and whoever has a place no longer waits. */
export const CHANGED = [classesKey, bookingsKey, passesKey, waitingKey]
