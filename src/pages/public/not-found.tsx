import { privateMeta } from '#content/seo.ts'
import { NotFound } from '../shell/not-found.tsx'

export const meta = () => privateMeta('Page not found')

export default NotFound
