import { Navigate } from 'react-router'
import { CONTACT } from '../shell/site-links.ts'

export default function ContactAlias() {
  return <Navigate to={CONTACT} replace />
}
