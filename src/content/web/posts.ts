import articles from 'virtual:articles'
import type { PictureSource } from '#ui/picture-source.ts'
import { blogPictures } from './blog-pictures.ts'

export type Post = {
  /** 1 is the oldest. */
  id: number
  slug: string
  title: string
  /** 50 to 160 characters. */
  excerpt: string
  /** `YYYY-MM-DD` */
  date: string
  /** Minutes. */
  readTime: number
  words: number
  /** Whose name and role are in the studio's facts. */
  author: 'instructor'
  /** 4:5 in lists, 4:3 above the article. */
  image: PictureSource
  wideImage: PictureSource
}

/** The articles, newest first: one per file in `content/articles`. */
export const posts: readonly Post[] = articles.map(({ minutes, picture, ...article }, i) => ({
  ...article,
  id: articles.length - i,
  author: 'instructor',
  readTime: minutes,
  image: blogPictures[picture],
  wideImage: blogPictures[`${picture}Wide`],
}))

/** The article at a path. */
export function postAt(pathname: string): Post | undefined {
  return posts.find(({ slug }) => pathname === `/blog/${slug}`)
}

/** The article to read next: the next older one, after the oldest the newest. */
export function postAfter(post: Post): Post | undefined {
  const next = posts[(posts.indexOf(post) + 1) % posts.length]
  return next === post ? undefined : next
}
