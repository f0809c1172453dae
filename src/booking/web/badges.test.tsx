import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PaymentBadge, StatusBadge } from './badges.tsx'

const rendered = (badge: React.ReactElement) => renderToStaticMarkup(badge)

test('shows the statuses of a booking in words', () => {
  expect(rendered(<StatusBadge status="confirmed" />)).toMatch(/text-ok.*Confirmed/)
  expect(rendered(<StatusBadge status="no_show" />)).toMatch(/text-err.*No show/)
  expect(rendered(<PaymentBadge status="refunded" />)).toMatch(/text-info.*Credit returned/)
})

test('shows a status that it does not know by its name, in a destructive badge', () => {
  expect(rendered(<StatusBadge status="late" />)).toMatch(/text-err.*late/)
  expect(rendered(<PaymentBadge status="pending" />)).toMatch(/text-err.*pending/)
})
