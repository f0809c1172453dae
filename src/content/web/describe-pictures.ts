/// <reference types="vite/types/importMeta.d.ts" />
import { keysOf, recordOf } from '#foundation/collections.ts'
import type { PictureFiles, PictureSource } from '#ui/picture-source.ts'
import { blurs } from './picture-blurs.ts'

/** Pictures with their alternative texts. Only server-rendered pages get blurred previews, to keep scripts small. */
export function describePictures<Name extends keyof typeof blurs>(
  files: { [N in Name]: PictureFiles },
  alts: { [N in Name]: string },
): { [N in Name]: PictureSource } {
  const blurOf = (name: Name) => (import.meta.env.SSR ? blurs[name] : undefined)
  return recordOf(keysOf(files), (name) => ({ ...files[name], alt: alts[name], blur: blurOf(name) }))
}
