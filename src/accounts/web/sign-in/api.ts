import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../../contract.ts'
import type * as profile from '../../contract-profile.ts'
import type * as proofs from '../../contract-proofs.ts'
import type * as sessions from '../../contract-sessions.ts'

type Contract = typeof profile & typeof proofs & typeof sessions & typeof contract

export const signInApi = apiClient<For<Contract, 'anyone'>>('accounts', {
  beginPasskeySignIn: 'POST /api/login/passkey/options',
  beginSecondStep: 'POST /api/login/second-step/options',
  completeSecondStep: 'POST /api/login/second-step',
  signInWithPasskey: 'POST /api/login/passkey',
  confirmEmailChange: 'POST /api/email-change/confirm',
  undoEmailChange: 'POST /api/email-change/undo',
  login: 'POST /api/login',
  register: 'POST /api/register',
  requestPasswordReset: 'POST /api/password-reset',
  resendVerification: 'POST /api/verify-email/resend',
  setPassword: 'POST /api/password-reset/confirm',
  verifyEmail: 'POST /api/verify-email',
})
