import { ArrowLeft } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { pageMeta, privateMeta } from '../../content/seo.ts'
import { postOf } from '../../content/web/posts.ts'
import { formatDate } from '../../foundation/london.ts'
import { studio } from '../../studio.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Picture } from '../../ui/picture.tsx'
import { preloadOf } from '../../ui/picture-source.ts'
import { NotFound } from '../shell/not-found.tsx'
import { CONTACT } from '../shell/site-links.ts'

const COVER = '(min-width: 860px) 790px, 92vw'

export const meta = ({ params }: { params: { slug?: string } }) => {
  const post = postOf(params.slug)
  return post
    ? [
        ...pageMeta({ title: post.title, description: post.excerpt, path: `/blog/${post.slug}` }),
        { tagName: 'link', ...preloadOf(post.wideImage, COVER) },
      ]
    : privateMeta('Page not found')
}

export default function Article() {
  const post = postOf(useParams().slug)
  if (!post) return <NotFound />
  return (
    <article className="wrap max-w-[860px] pt-6 pb-section lg:pt-10">
      <Breadcrumb items={[{ label: 'Blog', to: '/blog' }, { label: post.title }]} />
      <h1 className="display-page mt-8">{post.title}</h1>
      <p className="mt-5 text-base text-ink-mute">
        <time dateTime={post.date}>{formatDate(post.date)}</time> · {post.readTime} minute read · {post.author}
      </p>
      <div className="mt-10 aspect-[4/3] overflow-hidden rounded-card bg-sand">
        <Picture of={post.wideImage} eager sizes={COVER} />
      </div>
      <div className="prose mt-4">
        {post.sections.map(({ heading, text }) => (
          <section key={heading}>
            <h2>{heading}</h2>
            {text.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </div>
      <aside className="mt-16 flex items-center gap-5 border-y border-line py-7">
        <Mark size={44} className="text-sage" />
        <div>
          <p className="font-medium">{post.author}</p>
          <p className="text-base text-ink-mute">
            {studio.instructor.role}, {studio.name}
          </p>
        </div>
      </aside>
      <div className="mt-10 flex flex-wrap items-center justify-between gap-5 rounded-card bg-linen p-7">
        <p className="title">Questions before your first visit?</p>
        <ButtonLink to={CONTACT}>Contact us</ButtonLink>
      </div>
      <p className="mt-10">
        <Link to="/blog" className="link inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden size={18} strokeWidth={1.5} /> Back to blog
        </Link>
      </p>
    </article>
  )
}
