import { afterEach, expect, test, vi } from 'vitest'
import { toast } from '#ui/toast.ts'
import { endSession, LOGGED_OUT, resetSessionEnd } from './end-session.tsx'

vi.mock('#ui/toast.ts', () => ({ toast: vi.fn() }))
const isOn = (pathname: string) => vi.stubGlobal('location', { pathname })

afterEach(() => {
  resetSessionEnd()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

test('shows one toast however many responses report the end of the session', () => {
  isOn('/dashboard')
  endSession()
  endSession()
  expect(vi.mocked(toast).mock.calls).toEqual([[LOGGED_OUT]])
})

test('ignores a late response on /auth, and reports the end of the next session', () => {
  isOn('/dashboard')
  endSession()
  isOn('/auth')
  resetSessionEnd()
  endSession()
  expect(toast).toHaveBeenCalledTimes(1)
  // If the late response had ended the session, this would show no toast.
  isOn('/dashboard')
  endSession()
  expect(toast).toHaveBeenCalledTimes(2)
})
