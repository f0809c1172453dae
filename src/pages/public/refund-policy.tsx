import { refundPolicy } from '../../content/legal.ts'
import { pageMeta } from '../../content/seo.ts'
import { studio } from '../../studio.ts'
import { LegalPage } from './legal-page.tsx'

export const meta = () =>
  pageMeta({ title: 'Refund Policy', description: `Refund Policy of ${studio.name}.`, path: '/refund-policy' })

export default function RefundPolicy() {
  return <LegalPage title="Refund Policy" clauses={refundPolicy} book="Book Session" />
}
