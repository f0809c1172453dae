import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Button } from '#ui/button.tsx'
import { Form } from '#ui/form-fields.tsx'
import { type Gift, GiftFields as GiftForm, giftOf } from '#vouchers/contract.ts'
import { GiftFields } from '#vouchers/web/gift-fields.tsx'
import { keepGift, keptGift } from './kept-order.ts'

const text = z.string()
const KeptGift = z.object({ recipientName: text, recipientEmail: text, message: text, sendOn: text })

/** Who a gift at the checkout is for, before it is paid. */
export default function GiftStep({
  userId,
  gift,
  onDone,
}: {
  userId: string
  gift: Gift | undefined
  onDone: (gift: Gift) => void
}) {
  const [kept] = useState(() => KeptGift.safeParse(keptGift(userId)).data)
  const form = useForm({
    resolver: zodResolver(GiftForm),
    defaultValues: {
      recipientName: gift?.recipientName ?? '',
      recipientEmail: gift?.recipientEmail ?? '',
      message: gift?.message ?? '',
      sendOn: gift?.sendOn ?? '',
      ...kept,
    },
  })
  const { setFocus, subscribe } = form
  useEffect(
    () => subscribe({ formState: { values: true }, callback: ({ values }) => keepGift(userId, values) }),
    [subscribe, userId],
  )
  const isEdited = gift !== undefined
  useEffect(() => {
    if (isEdited) setFocus('recipientName')
  }, [isEdited, setFocus])
  return (
    <Form form={form} onSubmit={(typed) => onDone(giftOf(typed))} className="grid gap-5">
      <GiftFields buyer="we’ll email you" />
      <Button type="submit" className="w-full px-4">
        Continue to payment
      </Button>
    </Form>
  )
}
