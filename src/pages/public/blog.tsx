import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { type Post, posts } from '#content/web/posts.ts'
import { CallError, formRefusal } from '#foundation/call.ts'
import { formatDate } from '#foundation/dates.ts'
import { messagesApi } from '#messages/web/api.ts'
import { Button, TextLink } from '#ui/button.tsx'
import { FormError, TextField } from '#ui/field.tsx'
import { ArchTick } from '#ui/mark.tsx'
import { Picture } from '#ui/picture.tsx'
import { preloadPicture } from '#ui/picture-source.ts'
import { useSingleMutation } from '#ui/use-single-mutation.ts'
import { PageIntro } from './parts.tsx'

export const meta = (args: MetaArguments) =>
  pageMeta(args, ({ name, instructor }) => ({
    title: 'Blog: notes from the studio',
    description: `Plain articles about reformer Pilates by ${instructor.name} of ${name}: what it costs, what it does, how to begin.`,
    path: '/blog',
    crumbs: [{ label: 'Blog' }],
  }))

const FEATURED = '(min-width: 1376px) 560px, (min-width: 768px) 42vw, 92vw'

/** Agreed with the studio. */
const RECENT = 3

export default function Blog() {
  const [featured, ...older] = posts
  if (featured) preloadPicture(featured.image, FEATURED)
  if (!featured) return <PageIntro crumb="Blog" title="Notes from the studio" />
  return (
    <>
      <PageIntro crumb="Blog" title="Notes from the studio" />
      <section aria-label="Featured post" className="wrap pb-section">
        <Link
          to={`/blog/${featured.slug}`}
          className="group grid items-center gap-[clamp(24px,5vw,80px)] md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]"
        >
          <div className="aspect-[4/5] overflow-hidden rounded-card bg-sand">
            <Picture of={featured.image} alt="" eager sizes={FEATURED} />
          </div>
          <div>
            <PostFacts post={featured} />
            <h2 className="display-2 mt-2 decoration-1 underline-offset-8 group-hover:underline">{featured.title}</h2>
            <p className="lede mt-4 max-w-[25.5em]">{featured.excerpt}</p>
          </div>
        </Link>
      </section>
      <section className="wrap pb-section">
        <h2 className="display-3 mb-8">Recent Posts</h2>
        <ul className="grid gap-8 sm:grid-cols-3 sm:gap-[clamp(18px,2vw,30px)]">
          {older.slice(0, RECENT).map((post) => (
            <li key={post.slug}>
              <Link to={`/blog/${post.slug}`} className="group grid grid-cols-[104px_1fr] items-start gap-5 sm:block">
                <div className="aspect-[4/5] overflow-hidden rounded-field bg-sand sm:mb-4 sm:rounded-row">
                  <Picture of={post.image} alt="" sizes="(min-width: 640px) 30vw, 104px" />
                </div>
                <div>
                  <PostFacts post={post} />
                  <h3 className="title mt-1 decoration-1 underline-offset-4 group-hover:underline">{post.title}</h3>
                  <p className="mt-2 text-base text-ink-soft">{post.excerpt}</p>
                </div>
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <section id="newsletter" className="bg-linen py-section">
        <div className="wrap grid items-start gap-10 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-24">
          <div>
            <h2 className="display-2">
              Our <em>newsletter</em>
            </h2>
            <p className="lede mt-5 max-w-[27em]">
              New articles, and a note when the timetable or the passes change. We ask you to confirm by email first. We
              do not write often, and you can unsubscribe at any time.
            </p>
          </div>
          <div>
            <NewsletterBox />
            <p className="mt-4 text-small text-ink-mute">
              Your address is used for this alone. <TextLink to="/privacy-policy">Privacy policy</TextLink>
            </p>
          </div>
        </div>
      </section>
    </>
  )
}

function PostFacts({ post }: { post: Post }) {
  return (
    <p className="text-caption text-ink-mute">
      <time dateTime={post.date}>{formatDate(post.date)}</time> · {post.readTime} minute read
    </p>
  )
}

/**
 * Subscribes to the newsletter. The browser validates its one field, because the form library would add a tenth to the
 * script of a page for reading. Without script the form opens a page with the same reply.
 */
function NewsletterBox() {
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const refuse = (message: string) => {
    setError(message)
    field.current?.focus()
  }
  const subscribe = useSingleMutation({
    mutationFn: (email: string) => messagesApi.subscribe.call({ body: { email } }),
    onError: (failure) => {
      const message = failure instanceof CallError ? failure.errors[0]?.message : undefined
      if (message) refuse(message)
    },
  })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!field.current) return
    const { value, validity } = field.current
    if (validity.valueMissing) return refuse('Please enter your email address')
    if (!validity.valid) return refuse('Invalid email address')
    setError(undefined)
    subscribe.mutate(value)
  }
  return (
    <form noValidate method="post" action="/api/newsletter/form" onSubmit={onSubmit}>
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
        <TextField
          ref={field}
          name="email"
          label="Email"
          type="email"
          autoComplete="email"
          required
          maxLength={254}
          error={error}
          onChange={() => setError(undefined)}
        />
        <Button type="submit" busy={subscribe.isPending} className="sm:mt-[30px]">
          Subscribe
        </Button>
      </div>
      <div role="status">
        {subscribe.isSuccess && (
          <p className="mt-4 flex items-center gap-3 rounded-row bg-ok-tint px-5 py-4 text-base/normal text-ok">
            <ArchTick size={28} /> {subscribe.data.message}
          </p>
        )}
      </div>
      <FormError>{formRefusal(subscribe.error, 'You could not be put on the list. Please try again.')}</FormError>
    </form>
  )
}
