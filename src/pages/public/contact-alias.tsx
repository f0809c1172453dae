import { Navigate } from 'react-router'
import { CONTACT } from '../shell/site-links.ts'

/** `/contact` is another name of the contact page. */
export default function ContactAlias() {
  return <Navigate to={CONTACT} replace />
}
