import { useQuery } from '@tanstack/react-query'
import { useMemberMutation } from '#accounts/web/member-mutation.ts'
import { apiClient } from '#foundation/api-client.ts'
import { Button } from '#ui/button.tsx'
import { toast, toastError } from '#ui/toast.ts'
import type * as contract from '../contract-news.ts'
import { NEWS_OFFER } from '../rules.ts'

const newsApi = apiClient<typeof contract>('mailings', {
  getNewsOffer: 'GET /api/user/news-offer',
  answerNewsOffer: 'POST /api/user/news-offer',
})

/** Offers news to a member after their first booking, once. */
export default function NewsOffer() {
  const offer = useQuery(newsApi.getNewsOffer.queryOptions())
  const answer = useMemberMutation({
    mutationFn: (wantsNews: boolean) => newsApi.answerNewsOffer.call({ body: { wantsNews } }),
    onDone: ({ message }, wantsNews) => {
      if (wantsNews) toast({ title: 'Thank you', description: message })
    },
    onError: (error) => toastError(error, 'Your answer could not be saved. Please try again.'),
  })
  if (!offer.data?.isOffered || answer.isSuccess) return null
  return (
    <section aria-label="News and offers" className="mt-6 rounded-card bg-linen px-5 py-4 sm:mt-14 sm:px-7">
      <p>{NEWS_OFFER}</p>
      <p className="text-small text-ink-mute">Now and then. Every email has a link to unsubscribe.</p>
      <div className="mt-2 flex flex-wrap gap-x-3">
        <Button variant="secondary" small busy={answer.isPending} onClick={() => answer.mutate(true)}>
          Yes, please
        </Button>
        <Button variant="quiet" small disabled={answer.isPending} onClick={() => answer.mutate(false)}>
          No, thank you
        </Button>
      </div>
    </section>
  )
}
