import { apiClient, type For } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type * as factors from '../contract-factors.ts'
import type * as invitations from '../contract-invitations.ts'
import type * as profile from '../contract-profile.ts'
import type * as proofs from '../contract-proofs.ts'
import type * as sessions from '../contract-sessions.ts'
import type { sessionApi } from './session.ts'

type Contract = typeof factors & typeof invitations & typeof profile & typeof proofs & typeof sessions & typeof contract

export const accountsApi = apiClient<Omit<For<Contract, 'member' | 'admin'>, keyof typeof sessionApi>>('accounts', {
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
  beginStepUp: 'POST /api/user/confirm/options',
  completeStepUp: 'POST /api/user/confirm',
  changePassword: 'PUT /api/user/password',
  endOneSession: 'DELETE /api/user/sessions/:id',
  endSessions: 'DELETE /api/user/sessions',
  listSessions: 'GET /api/user/sessions',
  cancelEmailChange: 'DELETE /api/user/email-change',
  editProfile: 'PUT /api/user/profile',
  getEmailChange: 'GET /api/user/email-change',
  requestEmailChange: 'POST /api/user/email-change',
  resendEmailChange: 'POST /api/user/email-change/resend',
  addMember: 'POST /api/admin/users',
  countUninvited: 'GET /api/admin/invitations',
  sendInvitation: 'POST /api/admin/users/:id/invitation',
  sendInvitations: 'POST /api/admin/invitations',
  addNote: 'POST /api/admin/users/:id/notes',
  deleteNote: 'DELETE /api/admin/user-notes/:id',
  editUser: 'PUT /api/admin/users/:id',
})
