import { Button } from '#ui/button.tsx'
import { toast, toastError } from '#ui/toast.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { signInApi } from './api.ts'

export default function VerifyFirst({ username }: { username: string }) {
  const resend = useResendVerification()
  return (
    <div className="grid gap-4 rounded-row bg-linen px-5 py-5 text-base">
      <p>We sent you an email with a link when you signed up. Has it not arrived?</p>
      <Button variant="secondary" small busy={resend.isPending} onClick={() => resend.mutate(username)}>
        Send the link again
      </Button>
    </div>
  )
}

/** The response is the same whether the account exists or not. */
function useResendVerification() {
  return useSingleMutation({
    mutationFn: (username: string) => signInApi.resendVerification.call({ body: { username } }),
    onSuccess: ({ message }) => toast({ title: 'Verify your email', description: message }),
    onError: (error) => toastError(error, 'The link could not be sent. Please try again.', 'Not Sent'),
  })
}
