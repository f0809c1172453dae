import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'
import type { Encoding } from './read-text.ts'

export { textOf } from './read-text.ts'

export const importsApi = apiClient<typeof contract>('imports', {
  importMembers: 'POST /api/admin/import',
  listImports: 'GET /api/admin/imports',
  takeBackImport: 'DELETE /api/admin/imports/:id',
})

/** `id` changes each time, so that the same file can be chosen again. */
export type ChosenFile = { id: string; csv: string; encoding: Encoding }
