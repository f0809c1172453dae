import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as factors from '../contract-factors.ts'
import type * as invitations from '../contract-invitations.ts'
import type * as profile from '../contract-profile.ts'
import type * as proofs from '../contract-proofs.ts'
import type * as sessions from '../contract-sessions.ts'

export const accountsApi = apiClient<
  typeof factors & typeof invitations & typeof profile & typeof proofs & typeof sessions & typeof contract
>('accounts', {
  addApp: 'PUT /api/user/authenticator',
  addPasskey: 'POST /api/user/passkeys',
  beginApp: 'POST /api/user/authenticator/options',
  beginPasskey: 'POST /api/user/passkeys/options',
  getTextChoice: 'GET /api/user/texts',
  chooseTexts: 'PUT /api/user/texts',
  getFactors: 'GET /api/user/factors',
  removeApp: 'DELETE /api/user/authenticator',
  removePasskey: 'DELETE /api/user/passkeys/:id',
  renamePasskey: 'PUT /api/user/passkeys/:id',
  renewRecoveryCodes: 'POST /api/user/recovery-codes',
  addMember: 'POST /api/admin/users',
  countUninvited: 'GET /api/admin/invitations',
  sendInvitation: 'POST /api/admin/users/:id/invitation',
  sendInvitations: 'POST /api/admin/invitations',
  beginStepUp: 'POST /api/user/confirm/options',
  beginPasskeySignIn: 'POST /api/login/passkey/options',
  beginSecondStep: 'POST /api/login/second-step/options',
  completeSecondStep: 'POST /api/login/second-step',
  completeStepUp: 'POST /api/user/confirm',
  signInWithPasskey: 'POST /api/login/passkey',
  changePassword: 'PUT /api/user/password',
  endOneSession: 'DELETE /api/user/sessions/:id',
  endSessions: 'DELETE /api/user/sessions',
  listSessions: 'GET /api/user/sessions',
  cancelEmailChange: 'DELETE /api/user/email-change',
  confirmEmailChange: 'POST /api/email-change/confirm',
  editProfile: 'PUT /api/user/profile',
  getEmailChange: 'GET /api/user/email-change',
  requestEmailChange: 'POST /api/user/email-change',
  resendEmailChange: 'POST /api/user/email-change/resend',
  undoEmailChange: 'POST /api/email-change/undo',
  addNote: 'POST /api/admin/users/:id/notes',
  deleteNote: 'DELETE /api/admin/user-notes/:id',
  editUser: 'PUT /api/admin/users/:id',
  getCurrentUser: 'GET /api/auth/user',
  login: 'POST /api/login',
  register: 'POST /api/register',
  requestPasswordReset: 'POST /api/password-reset',
  resendVerification: 'POST /api/verify-email/resend',
  setPassword: 'POST /api/password-reset/confirm',
  verifyEmail: 'POST /api/verify-email',
})
