import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { formRefusal } from '#foundation/call.ts'
import { Button } from '#ui/button.tsx'
import { FormError } from '#ui/field.tsx'
import { Form, TextArea, TextField } from '#ui/form-fields.tsx'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { OutsideComplaintForm } from '../contract-complaints.ts'
import { privacyApi } from './api.ts'

/** A complaint about data by a visitor. After sending, the response replaces the form. */
export default function ComplainWithoutAccount() {
  const form = useForm({
    resolver: zodResolver(OutsideComplaintForm),
    defaultValues: { name: '', email: '', complaint: '' },
  })
  const make = useSingleMutation({
    mutationFn: (body: OutsideComplaintForm) => privacyApi.makeOutsideComplaint.call({ body }),
  })
  if (make.isSuccess) {
    return (
      <p role="status" className="rounded-row bg-ok-tint px-5 py-4 text-base/normal text-ok">
        {make.data.message}
      </p>
    )
  }
  return (
    <Form form={form} onSubmit={(sent) => make.mutate(sent)} error={make.error} className="grid gap-5">
      <TextField name="name" label="Your name" autoComplete="name" />
      <TextField name="email" label="Email" type="email" autoComplete="email" />
      <TextArea name="complaint" label="What is wrong with how we handle your data?" rows={5} />
      <FormError>{formRefusal(make.error, 'Your complaint could not be sent. Please try again.')}</FormError>
      <Button type="submit" variant="secondary" busy={make.isPending} className="justify-self-start">
        Send complaint
      </Button>
    </Form>
  )
}
