import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const importsApi = apiClient<typeof contract>('imports', {
  importMembers: 'POST /api/admin/import',
  listImports: 'GET /api/admin/imports',
  takeBackImport: 'DELETE /api/admin/imports/:id',
})

type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/** `id` is new for each choice, so that the same file is read again. */
export type ChosenFile = { id: string; csv: string; encoding: Encoding }

/** The bytes checked for zeros, which UTF-16 has in every other place. */
const CHECKED_BYTES = 1000

/**
 * Decodes a text file: UTF-8 if valid, UTF-16 by its byte order mark or zero bytes, otherwise Windows-1252 as older
 * versions of Excel write it. The latter is a guess, so the admin is asked to check.
 */
export function textOf(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes
  const decode = (label: string) => new TextDecoder(label, { fatal: false }).decode(bytes)
  if (first === 0xff && second === 0xfe) return { text: decode('utf-16le'), encoding: 'UTF-16' }
  if (first === 0xfe && second === 0xff) return { text: decode('utf-16be'), encoding: 'UTF-16' }
  const empty = (odd: number) =>
    bytes.subarray(0, CHECKED_BYTES).filter((byte, i) => byte === 0 && i % 2 === odd).length
  const half = Math.min(bytes.length, CHECKED_BYTES) / 4
  if (empty(1) > half) return { text: decode('utf-16le'), encoding: 'UTF-16' }
  if (empty(0) > half) return { text: decode('utf-16be'), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: decode('windows-1252'), encoding: 'Windows-1252' }
  }
}
