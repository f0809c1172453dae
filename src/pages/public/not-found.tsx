import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { NotFound } from '../shell/not-found.tsx'

export const meta = (args: MetaArguments) =>
  privateMeta(
    args,
    'Page not found',
    'There is no page at this address. It may have moved, or the address may have a small mistake.',
  )

export default NotFound
