import { createContext, type ReactNode, use } from 'react'
import type { BeginRequest } from '../contract.ts'

/** Optional checkboxes to start purchases early, null if none is needed, and the request that the ticked ones make. */
export type Begin = { boxes: ReactNode; request: BeginRequest | undefined }

/** The page puts the hook of payments here, because booking must not import payments. */
export const BeginContext = createContext<(classId: number, places: 1 | 2) => Begin>(() => ({
  boxes: null,
  request: undefined,
}))

/** @param places 2 with a companion, whose place another purchase may pay */
export function useBegin(classId: number, places: 1 | 2): Begin {
  return use(BeginContext)(classId, places)
}
