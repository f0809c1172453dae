import arrowLeft from '@lucide/icons/icons/arrow-left'
import arrowRight from '@lucide/icons/icons/arrow-right'
import { Link, Outlet, useLocation } from 'react-router'
import { pageMeta } from '#content/seo.ts'
import type { MetaArguments } from '#content/site.ts'
import { blogPosting } from '#content/structured-data.ts'
import { useFacts } from '#content/web/facts.tsx'
import { type Post, postAfter, postAt } from '#content/web/posts.ts'
import type { PublicFacts } from '#facts/contract.ts'
import { formatDate } from '#foundation/dates.ts'
import { Breadcrumb } from '#ui/breadcrumb.tsx'
import { ButtonLink, LineLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Mark } from '#ui/mark.tsx'
import { Picture } from '#ui/picture.tsx'
import { preloadPicture } from '#ui/picture-source.ts'
import { CONTACT } from '../shell/site-links.ts'

const COVER = '(min-width: 1376px) 700px, (min-width: 1024px) 52vw, 92vw'

export const meta = (args: MetaArguments & { location: { pathname: string } }) => {
  const post = postAt(args.location.pathname)
  if (!post) return undefined
  const path = `/blog/${post.slug}`
  return pageMeta(args, (facts) => ({
    title: post.title,
    description: post.excerpt,
    path,
    crumbs: [{ label: 'Blog', to: '/blog' }, { label: post.title }],
    data: (site) => [blogPosting(site, { ...post, path })],
    article: { date: post.date, author: facts[post.author].name },
  }))
}

const COLUMNS = 'lg:grid lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-x-[clamp(40px,7vw,120px)]'

export default function Article() {
  const facts = useFacts()
  const post = postAt(useLocation().pathname)
  if (!post) return <Outlet />
  preloadPicture(post.wideImage, COVER)
  const next = postAfter(post)
  return (
    <div className="wrap pt-6 pb-section lg:pt-10">
      <div className="print:hidden [&_li:last-child>:last-child]:truncate [&_li:last-child]:min-w-0 [&_ol]:flex-nowrap">
        <Breadcrumb items={[{ label: 'Blog', to: '/blog' }, { label: post.title }]} />
      </div>
      <div className={`mt-8 ${COLUMNS}`}>
        <article className="contents">
          <header>
            <h1 className="display-page">{post.title}</h1>
            <p className="lede mt-5 max-w-[29.3em]">{post.excerpt}</p>
            <p className="mt-4 text-base text-ink-mute">
              <time dateTime={post.date}>{formatDate(post.date)}</time> · {post.readTime} minute read ·{' '}
              {facts[post.author].name}
            </p>
          </header>
          <div className="mt-10 aspect-[4/3] overflow-hidden rounded-card bg-sand lg:mt-0 print:hidden">
            <Picture of={post.wideImage} eager sizes={COVER} />
          </div>
          <div className="prose mt-[clamp(32px,4vw,56px)] lg:col-start-2">
            <Outlet />
          </div>
        </article>
        <AuthorCard author={facts[post.author]} />
      </div>
      <div className="mt-10 flex flex-wrap items-center justify-between gap-5 rounded-card bg-linen p-[clamp(24px,3.4vw,40px)] print:hidden">
        <div>
          <p className="title">Questions before your first visit?</p>
          <p className="mt-1 text-base text-ink-soft">Ring or write. If you would like to see the room, ring first.</p>
        </div>
        <ButtonLink to={CONTACT}>Contact us</ButtonLink>
      </div>
      <nav aria-label="More articles" className="mt-14 grid gap-10 print:hidden">
        {next && <NextArticle post={next} />}
        <p>
          <LineLink to="/blog" className="gap-2">
            <Icon of={arrowLeft} size={18} /> Back to blog
          </LineLink>
        </p>
      </nav>
    </div>
  )
}

function AuthorCard({ author }: { author: PublicFacts['instructor'] }) {
  const { name, address } = useFacts()
  return (
    <aside
      aria-label="Author"
      className="mt-16 flex items-center gap-5 self-start border-y border-line py-7 lg:sticky lg:top-32 lg:col-start-1 lg:row-start-2 lg:mt-[clamp(32px,4vw,56px)]"
    >
      <Mark size={44} className="flex-none text-sage print:hidden" />
      <div>
        <p className="title">{author.name}</p>
        <p className="mt-0.5 text-base text-ink-mute">
          {author.role} at {name}, {address.town}
        </p>
      </div>
    </aside>
  )
}

function NextArticle({ post }: { post: Post }) {
  return (
    <Link
      to={`/blog/${post.slug}`}
      prefetch="intent"
      className="group grid grid-cols-[96px_1fr] items-center gap-6 sm:grid-cols-[160px_1fr]"
    >
      <div className="aspect-[4/5] overflow-hidden rounded-row bg-sand">
        <Picture of={post.image} alt="" sizes="(min-width: 640px) 160px, 96px" />
      </div>
      <div>
        <p className="text-small text-ink-mute">Next article</p>
        <p className="display-3 mt-1 decoration-1 underline-offset-4 group-hover:underline">{post.title}</p>
        <p className="mt-2 flex items-center gap-2 text-base text-ink-soft">
          {post.readTime} minute read <Icon of={arrowRight} size={18} />
        </p>
      </div>
    </Link>
  )
}
