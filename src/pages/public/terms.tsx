import { terms } from '../../content/legal.ts'
import { pageMeta } from '../../content/seo.ts'
import { studio } from '../../studio.ts'
import { LegalPage } from './legal-page.tsx'

export const meta = () =>
  pageMeta({
    title: 'Terms and Conditions',
    description: `Terms and Conditions of ${studio.name}.`,
    path: '/terms-and-conditions',
  })

export default function Terms() {
  return <LegalPage title="Terms and Conditions" clauses={terms} numbered />
}
