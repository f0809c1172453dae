/// <reference types="vite/types/importMeta.d.ts" />
import type { PictureSource } from '../../ui/picture-source.ts'
import { blurs } from './picture-blurs.ts'

type Blurred<Name extends string> = { readonly [N in Name]: PictureSource }

/**
 * Pictures with what is seen until they arrive. Only for the HTML that is written beforehand: on a later page there is
 * little to wait for, and script is dear.
 */
export function blurred<Name extends keyof typeof blurs>(described: Blurred<Name>): Blurred<Name> {
  if (!import.meta.env.SSR) return described
  const names = Object.keys(described) as Name[]
  return Object.fromEntries(
    names.map((name) => [name, { ...described[name], blur: blurs[name] }]),
  ) as unknown as Blurred<Name>
}
