/// <reference types="vite/types/importMeta.d.ts" />
import type { PictureSource } from '#ui/picture-source.ts'
import { blurs } from './picture-blurs.ts'

type Blurred<Name extends string> = { [N in Name]: PictureSource }

/**
 * Pictures with what is seen until they arrive. Only for the HTML that is written beforehand: on a later page there is
 * little to wait for, and script is dear.
 */
export function blurred<Name extends keyof typeof blurs>(described: Blurred<Name>): Blurred<Name> {
  if (!import.meta.env.SSR) return described
  const found = { ...described }
  for (const name in described) found[name] = { ...described[name], blur: blurs[name] }
  return found
}
