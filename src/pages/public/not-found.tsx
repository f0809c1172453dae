import { privateMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { NotFound } from '../shell/not-found.tsx'

export const meta = (args: MetaArguments) => privateMeta(args, 'Page not found')

export default NotFound
