import { privacyPolicy } from '../../content/legal.ts'
import { pageMeta } from '../../content/seo.ts'
import { studio } from '../../studio.ts'
import { LegalPage } from './legal-page.tsx'

export const meta = () =>
  pageMeta({ title: 'Privacy Policy', description: `Privacy Policy of ${studio.name}.`, path: '/privacy-policy' })

export default function PrivacyPolicy() {
  return <LegalPage title="Privacy Policy" clauses={privacyPolicy} numbered book="Book Session" />
}
