import { Navigate } from 'react-router'
import { ALIASES } from '#site-map.ts'

/** The article that declares another slug than the list does. */
export default function ArticleAlias() {
  return <Navigate to={ALIASES['/blog/one-on-one-vs-duo-classes']} replace />
}
