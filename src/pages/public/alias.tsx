import { Navigate, useLocation } from 'react-router'
import { ALIASES } from '#site-map.ts'

/** Follows another name of a page inside the app. */
export default function Alias() {
  const path = useLocation().pathname
  return <Navigate to={ALIASES[path as keyof typeof ALIASES]} replace />
}
