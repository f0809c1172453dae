import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Begin } from '#booking/web/begin.ts'
import { formatDate } from '#foundation/dates.ts'
import { late } from '#ui/late.tsx'
import { paymentsApi } from './api.ts'

const [BeginBox, fetchBeginBox] = late(() => import('./begin-box.tsx'))

export { fetchBeginBox }

function useOffer(classId: number, { isSecond, enabled }: { isSecond?: 'true'; enabled: boolean }) {
  const offers = paymentsApi.listBeginOffers.queryOptions({ query: { classId, isSecond } })
  const { data } = useQuery({ ...offers, enabled, gcTime: 0 })
  return enabled ? (data ?? []) : []
}

/** A checkbox for each purchase that would pay for places in a class, can still be cancelled and has no request. */
export function useBeginBoxes(classId: number, places: 1 | 2): Begin {
  const [asked, setAsked] = useState<number[]>([])
  const own = useOffer(classId, { enabled: true })
  const second = useOffer(classId, { isSecond: 'true', enabled: places === 2 })
  const offers = [...new Map([...own, ...second].map((offer) => [offer.purchaseId, offer])).values()]
  if (offers.length === 0) return { boxes: null, request: undefined }
  const ticked = offers.map(({ purchaseId }) => purchaseId).filter((id) => asked.includes(id))
  const [purchaseId, otherPurchaseId] = ticked
  const boxes = offers.map((offer) => (
    <BeginBox
      key={offer.purchaseId}
      isAsked={asked.includes(offer.purchaseId)}
      onChange={(isAsked) => {
        const others = asked.filter((id) => id !== offer.purchaseId)
        setAsked(isAsked ? [...others, offer.purchaseId] : others)
      }}
      help={`${offer.package.name} pays for ${own.includes(offer) ? 'this class' : 'your companion'}, and you can cancel that purchase until ${formatDate(offer.until)}. You can withdraw this under Receipts on your dashboard until you have taken a class with it.`}
    />
  ))
  return { boxes, request: purchaseId === undefined ? undefined : { purchaseId, otherPurchaseId } }
}
