/// <reference types="vite/types/importMeta.d.ts" />
import type { PictureSource } from '#ui/picture-source.ts'
import { blurs } from './picture-blurs.ts'

type Blurred<Name extends string> = { [N in Name]: PictureSource }

/** Adds the blurred previews, on the server only: later pages load fast, and scripts should be small. */
export function blurred<Name extends keyof typeof blurs>(described: Blurred<Name>): Blurred<Name> {
  if (!import.meta.env.SSR) return described
  const found = { ...described }
  for (const name in described) found[name] = { ...described[name], blur: blurs[name] }
  return found
}
