import { apiClient } from '#foundation/api-client.ts'
import type * as contract from '../contract.ts'

export const importsApi = apiClient<typeof contract>('imports', {
  importMembers: 'POST /api/admin/import',
  listImports: 'GET /api/admin/imports',
  takeBackImport: 'DELETE /api/admin/imports/:id',
})

type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/** `id` changes each time, so that the same file can be chosen again. */
export type ChosenFile = { id: string; csv: string; encoding: Encoding }

/** Enough bytes to see whether every other one is empty. */
const LOOKED_AT = 1000

/**
 * Decodes a text file: UTF-8 if it is valid, UTF-16 by its mark or its empty bytes, otherwise Windows-1252 as older
 * versions of Excel save it. That is a guess, so the screen shows it.
 */
export function textOf(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes
  const decode = (label: string) => new TextDecoder(label, { fatal: false }).decode(bytes)
  if (first === 0xff && second === 0xfe) return { text: decode('utf-16le'), encoding: 'UTF-16' }
  if (first === 0xfe && second === 0xff) return { text: decode('utf-16be'), encoding: 'UTF-16' }
  const empty = (odd: number) => bytes.subarray(0, LOOKED_AT).filter((byte, i) => byte === 0 && i % 2 === odd).length
  const half = Math.min(bytes.length, LOOKED_AT) / 4
  if (empty(1) > half) return { text: decode('utf-16le'), encoding: 'UTF-16' }
  if (empty(0) > half) return { text: decode('utf-16be'), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: decode('windows-1252'), encoding: 'Windows-1252' }
  }
}
