import { useFormContext } from 'react-hook-form'
import { studio } from '#studio.ts'
import { DateField } from '#ui/form-date-field.tsx'
import { TextArea, TextField } from '#ui/form-fields.tsx'
import { present } from '#ui/use-now.ts'
import { sendDays } from '../rules.ts'

/** Who gets a voucher, and when. @param props.buyer who gets the card to print, with the verb */
export function GiftFields({ buyer }: { buyer: string }) {
  const { watch } = useFormContext()
  const { from, to } = sendDays(present())
  return (
    <>
      <TextField name="recipientName" label="Who is it for?" autoComplete="off" />
      <TextField
        name="recipientEmail"
        label="Their email address"
        optional
        type="email"
        autoComplete="off"
        help={`Without it, ${buyer} the card to print.`}
      />
      {watch('recipientEmail') !== '' && (
        <DateField
          name="sendOn"
          label="Email it on"
          optional
          min={from}
          max={to}
          help={`At ${studio.policies.voucher.sendAt} on that day; without a day, now.`}
        />
      )}
      <TextArea name="message" label="Message on the card" optional rows={3} />
    </>
  )
}
