import { Navigate } from 'react-router'
import { ALIASES } from '#site-map.ts'

/** Redirects the second slug that one article has in the specification. */
export default function ArticleAlias() {
  return <Navigate to={ALIASES['/blog/one-on-one-vs-duo-classes']} replace />
}
