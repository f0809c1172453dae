import { useQueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '../contract.ts'
import { SIGNED_IN } from '../session-hint.ts'
import { accountsApi } from './api.ts'
import { forgetEnd } from './end-session.ts'
import { isNotSession } from './session.ts'

/** Forgets everything that was read for somebody else and takes `user` as signed in (null: nobody). */
export function useBecome() {
  const queries = useQueryClient()
  return (user: CurrentUser | null) => {
    queries.removeQueries({ predicate: isNotSession })
    localStorage.removeItem(SIGNED_IN)
    queries.setQueryData(accountsApi.getCurrentUser.key, user)
    forgetEnd()
    if (user) void queries.invalidateQueries({ queryKey: accountsApi.getCurrentUser.key })
  }
}
