/// <reference types="vite/types/importMeta.d.ts" />
import type { PictureSource } from '#ui/picture-source.ts'
import { blurs } from './picture-blurs.ts'

type Described<Name extends string> = { [N in Name]: PictureSource }

/** Adds blurred previews to server-rendered pages only, to keep scripts small. */
export function withBlurPreviews<Name extends keyof typeof blurs>(described: Described<Name>): Described<Name> {
  if (!import.meta.env.SSR) return described
  const found = { ...described }
  for (const name in described) found[name] = { ...described[name], blur: blurs[name] }
  return found
}
