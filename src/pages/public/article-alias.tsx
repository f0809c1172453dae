import { Navigate } from 'react-router'
import { ALIASES } from '#site-map.ts'

/** For the article whose slug differs from the list. */
export default function ArticleAlias() {
  return <Navigate to={ALIASES['/blog/one-on-one-vs-duo-classes']} replace />
}
